import type { RefObject } from "preact";
import type { TimelineEvent, WaitingQuestion } from "../../contract.ts";
import { EmptyState } from "../atoms/empty-state.tsx";
import { useListKeys } from "../atoms/list-keys.ts";
import { useActions } from "../keys/actions.ts";
import { jobs, pageSize, search, timeline } from "../state/console-state.ts";
import { choose, open } from "../state/route.ts";
import { EventRow } from "./event-row.tsx";
import { FoldRow } from "./fold-row.tsx";
import { QuestionRow } from "./question-row.tsx";
import { linkOf } from "./row.ts";
import type { TimelineRow } from "./rows.ts";

/** A row of the list: what happened, or a question on top. */
export type ListRow =
  | TimelineRow
  | { readonly kind: "question"; readonly id: string; readonly question: WaitingQuestion };

interface EventListProps {
  readonly rows: readonly ListRow[];
  readonly chosen: string | undefined;
  readonly opened: ReadonlySet<string>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onUndo: (event: TimelineEvent) => void;
  readonly onToggle: (id: string) => void;
}

const select = (id: string): void => choose({ screen: "timeline", id });

export function EventList({ rows, chosen, opened, scroller, onUndo, onToggle }: EventListProps) {
  const ids = rows.filter(({ kind }) => kind !== "gap").map(({ id }) => id);
  useListKeys(ids, chosen, select);
  const row = rows.find(({ id }) => id === chosen);
  useActions("screen", row ? { open: () => openRow(row, onToggle) } : {});
  const loaded = timeline.value.value;
  return (
    <div class="scroll" ref={scroller}>
      {loaded && rows.length === 0 && <NothingHappened />}
      <ol class="events">
        {rows.map((each) => (
          <Line
            key={each.id}
            row={each}
            isChosen={each.id === chosen}
            isOpen={opened.has(each.id)}
            onChoose={() => select(each.id)}
            onUndo={onUndo}
            onToggle={onToggle}
          />
        ))}
      </ol>
      {loaded?.before !== undefined && (
        <button class="expand" type="button" onClick={() => (pageSize.value *= 2)}>
          Show earlier events
        </button>
      )}
    </div>
  );
}

interface LineProps {
  readonly row: ListRow;
  readonly isChosen: boolean;
  readonly isOpen: boolean;
  readonly onChoose: () => void;
  readonly onUndo: (event: TimelineEvent) => void;
  readonly onToggle: (id: string) => void;
}

function Line({ row, isChosen, isOpen, onChoose, onUndo, onToggle }: LineProps) {
  const common = { isChosen, onChoose };
  switch (row.kind) {
    case "question":
      return <QuestionRow {...common} question={row.question} rowId={row.id} />;
    case "fold":
      return <FoldRow {...common} row={row} isOpen={isOpen} onToggle={() => onToggle(row.id)} />;
    case "gap":
      return (
        <li class="gap">
          <span>{row.text}</span>
        </li>
      );
    case "event": {
      const { event } = row;
      return <EventRow {...common} event={event} jobs={jobs.value.value?.jobs ?? []} onUndo={() => onUndo(event)} />;
    }
  }
}

function openRow(row: ListRow, onToggle: (id: string) => void): void {
  if (row.kind === "fold") onToggle(row.id);
  if (row.kind === "question") open({ screen: "waiting", id: row.question.id });
  if (row.kind === "event") open(linkOf(row.event));
}

const NothingHappened = () =>
  search.value === "" ? (
    <EmptyState icon="timeline" title="Nothing has happened yet">
      Connect an agent, and what it does appears here.
      <code class="line">holdfast install</code>
    </EmptyState>
  ) : (
    <EmptyState icon="search" title="Nothing found">
      No event contains these words. Search looks at paths, commands and tools.
    </EmptyState>
  );
