import { LIMITS } from "../../base/limits.ts";
import { notOurCursor } from "../read/cursor.ts";

/** What happened, in the order in which it was seen. */
export interface WatchEvent {
  readonly type: EventType;
  readonly path: string;
  /** Where something was before it was renamed. */
  readonly from?: string;
  /** The change of ours that did it. */
  readonly change_id?: string;
}

export const EVENT_TYPES = ["create", "modify", "delete", "rename"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What a reader gets at once. */
export interface EventPage {
  readonly events: readonly WatchEvent[];
  /** Where the reader goes on. */
  readonly cursor: string;
  /** Events were lost since the last page: only a look at the files tells how they are. */
  readonly overflow: boolean;
  /** Events that wait behind this page. */
  readonly more: number;
}

/** Events of one watch, until they are read. Holds a bounded number: who does not read is told that some were lost. */
export interface EventQueue {
  add(events: readonly WatchEvent[]): void;
  /** Says to the reader that events are missing here. */
  markOverflow(): void;
  /** What comes after a cursor, or else after the last page. A page can be had again until one behind it was read. */
  read(cursor?: string): EventPage;
  /** Whether anything waits behind a cursor, or else behind the last page. */
  hasMore(cursor?: string): boolean;
  /** Resolves when something is added, and at the latest after so long. */
  waitForEvent(ms: number): Promise<void>;
}

interface QueuedEvent {
  readonly number: number;
  readonly event: WatchEvent;
}

export function createEventQueue(): EventQueue {
  let waiting: QueuedEvent[] = [];
  let last = 0;
  let given = 0;
  let lostAt = 0;
  /** Where a reader stands who cannot be given what was before. */
  let released = 0;
  const wakers = new Set<() => void>();
  const wake = (): void => wakers.forEach((each) => each());
  const from = (cursor: string | undefined): number => (cursor === undefined ? given : numberIn(cursor, last));
  const lose = (): void => {
    lostAt = ++last;
    wake();
  };
  return {
    markOverflow: lose,
    add(events) {
      if (events.length === 0) return;
      const fresh = withoutRepeatedModify(waiting, given, events);
      if (waiting.length + fresh.length > LIMITS.queuedEvents) {
        waiting = [];
        return lose();
      }
      for (const event of fresh) waiting.push({ number: ++last, event });
      wake();
    },
    hasMore: (cursor) => from(cursor) < last,
    read(cursor) {
      const start = from(cursor);
      const overflow = lostAt > start || released > start;
      released = Math.max(released, Math.min(start, given));
      const behind = waiting.filter(({ number }) => number > start);
      waiting = waiting.filter(({ number }) => number > released);
      const page = behind.slice(0, LIMITS.eventsPerAnswer);
      const more = behind.length - page.length;
      given = more > 0 ? (page.at(-1) as QueuedEvent).number : last;
      return { events: page.map(({ event }) => event), cursor: String(given), overflow, more };
    },
    waitForEvent: (ms) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          wakers.delete(done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        wakers.add(done);
      }),
  };
}

function numberIn(cursor: string, last: number): number {
  const number = /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (number <= last) return number;
  throw notOurCursor();
}

/** That a file was modified need not be told twice to somebody who has not even heard of the first time. */
function withoutRepeatedModify(
  waiting: readonly QueuedEvent[],
  given: number,
  events: readonly WatchEvent[],
): readonly WatchEvent[] {
  if (!events.some(({ type }) => type === "modify")) return events;
  const latest = new Map<string, WatchEvent>();
  for (const { number, event } of waiting) if (number > given) latest.set(event.path, event);
  return events.filter((event) => {
    const before = latest.get(event.path);
    latest.set(event.path, event);
    return event.type !== "modify" || !before || !isCoveredBy(before, event);
  });
}

const isCoveredBy = (before: WatchEvent, { change_id }: WatchEvent): boolean =>
  (before.type === "modify" || before.type === "create") && before.change_id === change_id;
