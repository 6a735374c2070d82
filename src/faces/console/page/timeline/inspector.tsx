import type { TimelineEvent } from "../../contract.ts";
import { BackLink } from "../atoms/back-link.tsx";
import { EventCard } from "./event-card.tsx";
import type { ListRow } from "./event-list.tsx";
import { FoldCard } from "./fold-card.tsx";
import { QuestionCard } from "./question-card.tsx";

interface InspectorProps {
  readonly row: ListRow;
  readonly onUndo: (event: TimelineEvent) => void;
  readonly isBusy: boolean;
}

/** Shows the chosen row of the timeline in full. */
export function Inspector({ row, onUndo, isBusy }: InspectorProps) {
  return (
    <aside class="inspector detail" aria-label="Details">
      <BackLink to="timeline">Timeline</BackLink>
      {row.kind === "question" && <QuestionCard key={row.id} question={row.question} />}
      {row.kind === "event" && <EventCard key={row.id} event={row.event} onUndo={onUndo} isBusy={isBusy} />}
      {row.kind === "fold" && <FoldCard text={row.text} events={row.events} />}
    </aside>
  );
}
