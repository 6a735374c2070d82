import { useRef } from "preact/hooks";
import type { WaitingQuestion } from "../../contract.ts";
import { BackLink } from "../atoms/back-link.tsx";
import { Callout } from "../atoms/callout.tsx";
import { Icon } from "../atoms/icon.tsx";
import { shown } from "../format/shown.ts";
import { AnswerFooter } from "./answer-footer.tsx";
import type { Answers } from "./answers.tsx";
import { EffectFacts } from "./effect-facts.tsx";
import { Effects } from "./effects.tsx";
import { useLinesBelow } from "./lines-below.ts";
import { endText, titleOf } from "./question-text.ts";

interface QuestionDetailProps {
  readonly question: WaitingQuestion;
  readonly answers: Answers;
}

/** Shows a question with its exact effect, and the answers below it. */
export function QuestionDetail({ question, answers }: QuestionDetailProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const linesBelow = useLinesBelow(scroller, question.id);
  const isPending = question.state === "pending";
  const { verb, subject, more } = titleOf(question);
  return (
    <div class="col detail">
      <div class="scroll pad" ref={scroller}>
        <BackLink to="waiting">Waiting</BackLink>
        <p class={isPending ? "eyebrow wait" : "eyebrow"}>
          <Icon name="hourglass" />
          <bdi>{isPending ? "Waits for your answer" : shown(endText(question))}</bdi>
        </p>
        <h2 class="title">
          {verb} <bdi class="path">{shown(subject)}</bdi> {more}
        </h2>
        {isPending && !question.recoverable && (
          <Callout kind="del">
            <b>This cannot be taken back.</b> The trash and the history keep no copy.
          </Callout>
        )}
        {isPending && !question.current && (
          <Callout kind="wait">
            <b>The files changed after this was asked.</b> A yes would be for something else. When the agent tries
            again, you are asked about the effect as it is then.
          </Callout>
        )}
        <EffectFacts question={question} />
        <Effects question={question} />
      </div>
      {isPending && <AnswerFooter question={question} answers={answers} linesBelow={linesBelow} />}
      {answers.dialog}
    </div>
  );
}
