import type { WaitingQuestion } from "../../contract.ts";
import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { EmptyState } from "../atoms/empty-state.tsx";
import { focusRow, neighborOf, useListKeys } from "../atoms/list-keys.ts";
import { useResource } from "../state/resource.ts";
import { waiting } from "../state/console-state.ts";
import { askForNotices, permission } from "../state/notices.ts";
import { choose, isPhone, open, route } from "../state/route.ts";
import { useAnswers } from "./answers.tsx";
import { QuestionDetail } from "./question-detail.tsx";
import { QuestionItem } from "./question-item.tsx";

/** Shows what waits for an answer, oldest first, and what was answered lately. */
export function WaitingScreen() {
  const list = useResource(waiting)?.questions ?? [];
  const pending = list.filter(({ state }) => state === "pending");
  const ended = list.filter(({ state }) => state !== "pending");
  const ids = [...pending, ...ended].map(({ id }) => id);
  const chosen = list.find(({ id }) => id === route.value.id) ?? (isPhone() ? undefined : (pending[0] ?? ended[0]));
  useListKeys(ids, chosen?.id, (id) => choose({ screen: "waiting", id }));
  const answers = useAnswers(chosen, () => goOn(pending, chosen));
  return (
    <section
      class="screen two on-waiting"
      data-depth={route.value.id === undefined ? "list" : "detail"}
      aria-label="Waiting"
    >
      <div class="col list narrow">
        <header class="bar">
          <h2 class="name">Waiting</h2>
          <span class="count">{pending.length > 0 && `${pending.length} for you`}</span>
          <span class="grow" />
          {permission.value === "default" && (
            <Button kind="small" onPress={() => void askForNotices()}>
              Notify me
            </Button>
          )}
        </header>
        <div class="scroll">
          <Failure text={waiting.failure.value} />
          {waiting.value.value && pending.length === 0 && <NothingWaits />}
          <ol class="items">
            {pending.map((question) => (
              <QuestionItem key={question.id} question={question} isChosen={question === chosen} />
            ))}
          </ol>
          {ended.length > 0 && <h2 class="group">Answered lately</h2>}
          <ol class="items done">
            {ended.map((question) => (
              <QuestionItem key={question.id} question={question} isChosen={question === chosen} />
            ))}
          </ol>
        </div>
      </div>
      {chosen && <QuestionDetail question={chosen} answers={answers} />}
    </section>
  );
}

/** After an answer the next question is shown, or the list on a phone. */
function goOn(pending: readonly WaitingQuestion[], answered: WaitingQuestion | undefined): void {
  if (isPhone() || !answered) return open({ screen: "waiting" });
  const next = neighborOf(
    pending.map(({ id }) => id),
    answered.id,
  );
  choose(next === undefined ? { screen: "waiting" } : { screen: "waiting", id: next });
  if (next !== undefined) focusRow(next);
}

const NothingWaits = () => (
  <EmptyState icon="check" title="Nothing waits for you">
    Agents go on by themselves. A question appears here, in the title of this tab and, if you allow it, as a
    notification.
  </EmptyState>
);
