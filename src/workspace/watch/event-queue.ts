import { LIMITS } from "../../base/limits.ts";
import { notOurCursor } from "../read/cursor.ts";

/** One change to one path, as a reader gets it. */
export interface WatchEvent {
  readonly type: EventType;
  readonly path: string;
  /** The path before a rename. */
  readonly from?: string;
  /** Names the change of this workspace that caused the event. */
  readonly change_id?: string;
}

export const EVENT_TYPES = ["create", "modify", "delete", "rename"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The part of the events that a reader gets at once. */
export interface EventPage {
  readonly events: readonly WatchEvent[];
  /** Is passed to the next `read` to continue after this page. */
  readonly cursor: string;
  /** Is true if events were lost since the last page, so that the reader has to look at the files again. */
  readonly overflow: boolean;
  /** Counts the events that wait behind this page. */
  readonly more: number;
}

/** Holds the unread events of one watch, up to a limit; beyond it, events are dropped and `overflow` is reported. */
export interface EventQueue {
  add(events: readonly WatchEvent[]): void;
  /** Records that events are missing at this position. */
  markOverflow(): void;
  /** Returns the events after a cursor, or else after the last page. A page can be read again until a later one is. */
  read(cursor?: string): EventPage;
  /** Returns true if events wait behind a cursor, or else behind the last page. */
  hasMore(cursor?: string): boolean;
  /** Resolves when an event is added, or after the timeout. */
  waitForEvent(ms: number): Promise<void>;
}

interface QueuedEvent {
  readonly number: number;
  readonly event: WatchEvent;
}

export function createEventQueue(): EventQueue {
  let waiting: QueuedEvent[] = [];
  let last = 0;
  let lastRead = 0;
  let lostAt = 0;
  /** The position up to which events were dropped after reading: an older cursor gets an overflow. */
  let released = 0;
  const wakers = new Set<() => void>();
  const wake = (): void => wakers.forEach((each) => each());
  const from = (cursor: string | undefined): number => (cursor === undefined ? lastRead : numberIn(cursor, last));
  const lose = (): void => {
    lostAt = ++last;
    wake();
  };
  return {
    markOverflow: lose,
    add(events) {
      if (events.length === 0) return;
      const fresh = withoutRepeatedModify(waiting, lastRead, events);
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
      released = Math.max(released, Math.min(start, lastRead));
      const behind = waiting.filter(({ number }) => number > start);
      waiting = waiting.filter(({ number }) => number > released);
      const page = behind.slice(0, LIMITS.eventsPerAnswer);
      const more = behind.length - page.length;
      lastRead = more > 0 ? (page.at(-1) as QueuedEvent).number : last;
      return { events: page.map(({ event }) => event), cursor: String(lastRead), overflow, more };
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

/** Drops a modify event if the last unread event of that path is a create or modify by the same change. */
function withoutRepeatedModify(
  waiting: readonly QueuedEvent[],
  lastRead: number,
  events: readonly WatchEvent[],
): readonly WatchEvent[] {
  if (!events.some(({ type }) => type === "modify")) return events;
  const latest = new Map<string, WatchEvent>();
  for (const { number, event } of waiting) if (number > lastRead) latest.set(event.path, event);
  return events.filter((event) => {
    const before = latest.get(event.path);
    latest.set(event.path, event);
    return event.type !== "modify" || !before || !isCoveredBy(before, event);
  });
}

const isCoveredBy = (before: WatchEvent, { change_id }: WatchEvent): boolean =>
  (before.type === "modify" || before.type === "create") && before.change_id === change_id;
