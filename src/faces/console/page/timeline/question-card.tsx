import type { WaitingQuestion } from "../../contract.ts";
import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { Icon } from "../atoms/icon.tsx";
import { Who } from "../atoms/who.tsx";
import { pathParts } from "../format/path-parts.ts";
import { shown } from "../format/shown.ts";
import { clock } from "../format/time.ts";
import { open } from "../state/route.ts";
import { useAnswers } from "../waiting/answers.tsx";
import { Effects } from "../waiting/effects.tsx";
import { refusalOf, titleOf } from "../waiting/question-text.ts";

/** Shows a question with its effect, and answers it without leaving the timeline. */
export function QuestionCard({ question }: { readonly question: WaitingQuestion }) {
  const answers = useAnswers(question, () => undefined);
  const { verb, subject, more } = titleOf(question);
  const disabled = answers.attempt.isRunning || (refusalOf(question) ?? false);
  return (
    <div class="insp">
      <header class="insp-head">
        <p class="eyebrow wait">
          <Icon name="hourglass" />
          Waits for your answer
        </p>
        <h2>
          {verb} <bdi class="path">{shown(verb === "Run" ? subject : pathParts(subject).name)}</bdi> {more}
        </h2>
        <dl class="meta">
          <div>
            <dt>By</dt>
            <dd>
              <Who agent={question.agent} session={question.session} />
            </dd>
          </div>
          <div>
            <dt>Asked</dt>
            <dd>{clock(question.asked, "seconds")}</dd>
          </div>
          <div>
            <dt>After</dt>
            <dd>{question.recoverable ? "can be undone" : "cannot be taken back"}</dd>
          </div>
        </dl>
      </header>
      <div class="insp-actions">
        {question.recoverable && (
          <Button kind="primary" hotkey="a" disabled={disabled} onPress={answers.approve}>
            Approve once
          </Button>
        )}
        <Button hotkey="d" disabled={answers.attempt.isRunning} onPress={answers.deny}>
          Deny…
        </Button>
        <Button kind="quiet" hotkey="↵" onPress={() => open({ screen: "waiting", id: question.id })}>
          Open
        </Button>
      </div>
      <div class="insp-body">
        <Failure text={answers.attempt.failure} />
        <Effects question={question} hasViews={false} />
      </div>
      {answers.dialog}
    </div>
  );
}
