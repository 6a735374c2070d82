import type { WaitingQuestion } from "../../contract.ts";
import { Icon } from "../atoms/icon.tsx";
import { Path } from "../atoms/path.tsx";
import { PlusMinus } from "../atoms/plus-minus.tsx";
import { Who } from "../atoms/who.tsx";
import { shown } from "../format/shown.ts";
import { clock } from "../format/time.ts";
import { hashOf } from "../state/route-of.ts";
import { countsOf, titleOf } from "../waiting/question-text.ts";
import { type RowProps, selectOnClick } from "./row.ts";

interface QuestionRowProps extends RowProps {
  readonly question: WaitingQuestion;
  readonly rowId: string;
}

/** Stays on top of the timeline until it is answered. */
export function QuestionRow({ question, rowId, isChosen, onChoose }: QuestionRowProps) {
  const { verb, subject, more } = titleOf(question);
  const href = hashOf({ screen: "waiting", id: question.id });
  const note = [more, question.current ? "" : "changed since it was asked"].filter((part) => part !== "").join(", ");
  return (
    <li class={`event wait${isChosen ? " selected" : ""}`} {...(isChosen && { "aria-current": "true" as const })}>
      <time dateTime={question.asked}>{clock(question.asked)}</time>
      <Icon name="hourglass" />
      <span class="verb">{shown(verb.toLowerCase())}</span>
      <a
        class="what"
        href={href}
        data-row={rowId}
        tabIndex={isChosen ? 0 : -1}
        onClick={(click) => selectOnClick(click, onChoose)}
      >
        {verb === "Run" ? <bdi class="cmd">{shown(subject)}</bdi> : <Path path={subject} />}
        {note !== "" && <span class="note">{note}</span>}
      </a>
      <PlusMinus {...countsOf(question)} />
      <Who agent={question.agent} session={question.session} />
      <a class="act answer" href={href} tabIndex={isChosen ? 0 : -1}>
        Answer
      </a>
    </li>
  );
}
