import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { TimelineEvent, WaitingQuestion } from "../../contract.ts";
import { Choice } from "../atoms/choice.tsx";
import { Failure } from "../atoms/callout.tsx";
import { Key } from "../atoms/key.tsx";
import { counted } from "../format/quantity.ts";
import { useActions } from "../keys/actions.ts";
import { useAttempt } from "../state/attempt.ts";
import { jobs, session, timeline, waiting } from "../state/console-state.ts";
import { useResource } from "../state/resource.ts";
import { choose, isPhone, open, route } from "../state/route.ts";
import { undoOrRedo } from "../undo/undo-flow.ts";
import { WaitingCard } from "../waiting/waiting-card.tsx";
import { EventList, type ListRow } from "./event-list.tsx";
import { useFreshEvents } from "./fresh-events.ts";
import { type Filter, filtered, FILTERS } from "./filter.ts";
import { Inspector } from "./inspector.tsx";
import { timelineRows } from "./rows.ts";

/** Shows what agents do, newest first, with the questions on top and the chosen event beside it. */
export function TimelineScreen() {
  const loaded = useResource(timeline)?.events ?? [];
  const pending = (useResource(waiting)?.questions ?? []).filter(isPendingHere);
  useResource(jobs);
  const filter = useSignal<Filter>("All");
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  const attempt = useAttempt();
  const fresh = useFreshEvents(withoutPending(loaded, pending), list);
  const rows = listRows(pending, filtered(fresh.events, filter.value), filter.value, opened.value);
  const chosen = rows.find(({ id }) => id === route.value.id) ?? (isPhone() ? undefined : firstChoice(rows));
  const undo = (event: TimelineEvent): void => attempt.run(() => undoEvent(event));
  useTimelineKeys(rows, chosen, undo, fresh.show);
  const [oldest] = pending;
  const isDetail = route.value.id !== undefined && chosen !== undefined;
  return (
    <section class="screen two on-timeline" data-depth={isDetail ? "detail" : "list"} aria-label="Timeline">
      <div class="col list">
        <header class="bar">
          <h2 class="name">Timeline</h2>
          <Choice
            kind="chips"
            label="Show"
            options={FILTERS}
            value={filter.value}
            onChoose={(next) => (filter.value = next)}
          />
          <span class="grow" />
          <button class={fresh.fresh > 0 ? "newpill on" : "newpill"} type="button" onClick={fresh.show}>
            {counted(fresh.fresh, "new event")} <Key>g</Key>
          </button>
          <span class="count" aria-live="polite">
            {loaded.length > 0 && counted(loaded.length, "event")}
          </span>
        </header>
        {isPhone() && oldest && <WaitingCard key={oldest.id} question={oldest} count={pending.length} />}
        <Failure text={attempt.failure ?? timeline.failure.value} />
        <EventList
          rows={rows}
          chosen={chosen?.id}
          opened={opened.value}
          scroller={list}
          onUndo={undo}
          onToggle={(id) => (opened.value = toggled(opened.value, id))}
        />
      </div>
      {chosen && <Inspector row={chosen} onUndo={undo} isBusy={attempt.isRunning} />}
    </section>
  );
}

const isPendingHere = ({ state, session: of }: WaitingQuestion): boolean =>
  state === "pending" && (session.value === undefined || session.value === of);

/** A question that still waits is pinned on top; the call that asked it would say the same again. */
const withoutPending = (
  events: readonly TimelineEvent[],
  pending: readonly WaitingQuestion[],
): readonly TimelineEvent[] =>
  events.filter(({ question }) => question === undefined || pending.every(({ id }) => id !== question));

function listRows(
  pending: readonly WaitingQuestion[],
  events: readonly TimelineEvent[],
  filter: Filter,
  opened: ReadonlySet<string>,
): readonly ListRow[] {
  const pinned = filter === "All" || filter === "Waiting" ? pending : [];
  return [
    ...pinned.map((question): ListRow => ({ kind: "question", id: `asked-${question.id}`, question })),
    ...timelineRows(events).flatMap((row): readonly ListRow[] =>
      row.kind === "fold" && opened.has(row.id)
        ? [row, ...row.events.map((event) => ({ kind: "event" as const, id: event.id, event }))]
        : [row],
    ),
  ];
}

/** Without a choice the newest event is shown; a question is answered only after the person went to it. */
const firstChoice = (rows: readonly ListRow[]): ListRow | undefined => rows.find(({ kind }) => kind === "event");

const toggled = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set(ids.has(id) ? [...ids].filter((each) => each !== id) : [...ids, id]);

/** Undoes what an event changed; what conflicts is shown on its own page first. */
async function undoEvent({ change }: TimelineEvent): Promise<void> {
  if (change && (await undoOrRedo(change.id, change.undone)) === "preview") open({ screen: "history", id: change.id });
}

function useTimelineKeys(
  rows: readonly ListRow[],
  chosen: ListRow | undefined,
  undo: (event: TimelineEvent) => void,
  showFresh: () => void,
): void {
  const asked = rows.find(({ kind }) => kind === "question");
  const event = chosen?.kind === "event" ? chosen.event : undefined;
  const isUndoable = event?.change !== undefined && event.change.final === undefined;
  useActions("screen", {
    ...(asked && chosen?.kind !== "question" && { answer: () => choose({ screen: "timeline", id: asked.id }) }),
    ...(event && isUndoable && { undo: () => undo(event) }),
    ...(route.value.id === undefined && { top: showFresh }),
  });
}
