import type { WaitingQuestion } from "../../contract.ts";
import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { Icon } from "../atoms/icon.tsx";
import { PlusMinus } from "../atoms/plus-minus.tsx";
import { Who } from "../atoms/who.tsx";
import { changedLines, unifiedRows } from "../diff/rows.ts";
import { UnifiedDiff } from "../diff/unified-diff.tsx";
import { shown } from "../format/shown.ts";
import { briefSpan, secondsFrom } from "../format/time.ts";
import { nowMs } from "../state/clock.ts";
import { hashOf } from "../state/route-of.ts";
import { open } from "../state/route.ts";
import { useAnswers } from "./answers.tsx";
import { countsOf, refusalOf, titleOf } from "./question-text.ts";

/** So many lines fit on a phone together with the buttons. */
const LINES = 14;

interface WaitingCardProps {
  readonly question: WaitingQuestion;
  /** Counts all that wait. */
  readonly count: number;
}

/** Comes first on a phone: the oldest question. It offers a yes only if it shows the whole effect. */
export function WaitingCard({ question, count }: WaitingCardProps) {
  const answers = useAnswers(question, () => undefined);
  const rows = unifiedRows(changedLines(question.effects.flatMap(({ hunks = [] }) => hunks)));
  const isWhole = rows.length <= LINES && question.effects.every(({ hunks }) => hunks !== undefined);
  const isOffered = isWhole && question.recoverable && refusalOf(question) === undefined;
  const { verb, subject, more } = titleOf(question);
  const to = { screen: "waiting", id: question.id } as const;
  return (
    <section class="waitcard" aria-label="Waiting for you">
      <p class="eyebrow wait">
        <Icon name="hourglass" />1 of {count} waiting
        <span class="grow" />
        asked {briefSpan(secondsFrom(question.asked, nowMs.value))} ago
      </p>
      <h2>
        {verb} <bdi class="path">{shown(subject)}</bdi> {more}
      </h2>
      <p class="sub">
        <Who agent={question.agent} session={question.session} /> <PlusMinus {...countsOf(question)} />
        <span>{factsOf(question, isWhole)}</span>
      </p>
      {rows.length > 0 && (
        <div class="mini">
          <UnifiedDiff rows={rows.slice(0, LINES)} label={`the waiting ${verb}`} />
        </div>
      )}
      <Failure text={answers.attempt.failure} />
      <div class="thumb">
        {isOffered ? (
          <Button kind="primary" disabled={answers.attempt.isRunning} onPress={answers.approve}>
            Approve once
          </Button>
        ) : (
          <Button kind="primary" onPress={() => open(to)}>
            Review
          </Button>
        )}
        <Button disabled={answers.attempt.isRunning} onPress={answers.deny}>
          Deny…
        </Button>
      </div>
      <a class="more" href={hashOf(to)}>
        Details, or allow for the session
      </a>
      {answers.dialog}
    </section>
  );
}

function factsOf(question: WaitingQuestion, isWhole: boolean): string {
  if (!question.current) return "changed since it was asked";
  const undo = question.recoverable ? "can be undone" : "cannot be taken back";
  return isWhole ? `${undo} · this is all of it` : undo;
}
