import type { WaitingQuestion } from "../../contract.ts";
import { Icon } from "../atoms/icon.tsx";
import { RowLink } from "../atoms/row-link.tsx";
import { Who } from "../atoms/who.tsx";
import { pathParts } from "../format/path-parts.ts";
import { shown } from "../format/shown.ts";
import { briefSpan, clock, secondsFrom } from "../format/time.ts";
import { nowMs } from "../state/clock.ts";
import { endText, titleOf } from "./question-text.ts";

interface QuestionItemProps {
  readonly question: WaitingQuestion;
  readonly isChosen: boolean;
}

export function QuestionItem({ question, isChosen }: QuestionItemProps) {
  const { verb, subject, more } = titleOf(question);
  const isPending = question.state === "pending";
  const classes = ["item", isChosen && "selected", isPending && !question.current && "stale"];
  return (
    <li class={classes.filter(Boolean).join(" ")} {...(isChosen && { "aria-current": "true" as const })}>
      <RowLink to={{ screen: "waiting", id: question.id }} isChosen={isChosen}>
        <span class="t">
          {verb}{" "}
          <b>
            <bdi>{shown(verb === "Run" ? subject : pathParts(subject).name)}</bdi>
          </b>{" "}
          {more}
        </span>
      </RowLink>
      {isPending ? (
        <p>
          <Who agent={question.agent} session={question.session} />
          <time dateTime={question.asked}>{briefSpan(secondsFrom(question.asked, nowMs.value))}</time>
        </p>
      ) : (
        <p>
          <Icon {...endIcon(question)} />
          <bdi class="end">{shown(endText(question))}</bdi>
          <time dateTime={question.answer?.time ?? question.expires}>
            {clock(question.answer?.time ?? question.expires)}
          </time>
        </p>
      )}
    </li>
  );
}

function endIcon({ state }: WaitingQuestion): {
  readonly name: "check" | "cross" | "hourglass";
  readonly tone?: "ok" | "no";
} {
  if (state === "allowed") return { name: "check", tone: "ok" };
  return state === "denied" ? { name: "cross", tone: "no" } : { name: "hourglass" };
}
