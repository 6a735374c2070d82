import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { type Cancellation, stopIfCancelled } from "../../base/time-slicing.ts";
import type { PathPolicy } from "../../workspace/view.ts";
import type { Watch } from "../../workspace/watch/watch.ts";
import type { EventPage } from "../../workspace/watch/event-queue.ts";
import type { WatchFilter } from "../../workspace/watch/events.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Holds the watches of one session. */
export interface Watches {
  /** Returns the id of a watch once it is ready. The signal cancels only the start of the watch. */
  begin(filter: WatchFilter, policy: PathPolicy, signal: Cancellation): Promise<string>;
  /** Returns the events since the cursor, and waits for one if there is none yet. */
  poll(options: PollOptions, signal: Cancellation): Promise<{ readonly page: EventPage; readonly quietMs: number }>;
  end(id: string): void;
  endAll(): void;
}

interface PollOptions {
  readonly id: string;
  readonly cursor: string | undefined;
  readonly waitMs: number;
}

interface RunningWatch {
  readonly watch: Watch;
  readonly lifetime: { isOver: boolean };
  /** The time of the last poll that returned events. */
  lastEventMs: number;
}

export function createWatches(workspace: Workspace): Watches {
  const running = new Map<string, RunningWatch>();
  const allowance = { directories: 0 };
  let begun = 0;
  let starting = 0;
  let isOver = false;
  const end = ({ watch, lifetime }: RunningWatch): void => {
    lifetime.isOver = true;
    watch.end();
  };
  return {
    async begin(filter, policy, signal) {
      if (running.size + starting >= LIMITS.watches) throw tooManyWatchesFault([...running.keys()]);
      starting++;
      try {
        const lifetime = { isOver: false, isReady: false };
        const lifetimeSignal = {
          get aborted() {
            return lifetime.isOver || (!lifetime.isReady && (isOver || signal.aborted));
          },
        };
        const watch = await workspace.watch(
          filter,
          { ...policy, signal: lifetimeSignal, progress: () => {} },
          allowance,
        );
        lifetime.isReady = true;
        const id = `w${++begun}`;
        running.set(id, { watch, lifetime, lastEventMs: Date.now() });
        return id;
      } finally {
        starting--;
      }
    },
    async poll({ id, cursor, waitMs }, signal) {
      const polled = running.get(id) ?? throwUnknownWatch(id, running);
      await waitForEvents(polled, cursor, waitMs, signal);
      const page = polled.watch.queue.read(cursor);
      if (page.events.length > 0 || page.overflow) polled.lastEventMs = Date.now();
      return { page, quietMs: Date.now() - polled.lastEventMs };
    },
    end(id) {
      end(running.get(id) ?? throwUnknownWatch(id, running));
      running.delete(id);
    },
    endAll() {
      isOver = true;
      running.forEach(end);
      running.clear();
    },
  };
}

/** Wakes up regularly to check the signal, since cancelling a call does not wake it. */
async function waitForEvents(
  { watch, lifetime }: RunningWatch,
  cursor: string | undefined,
  waitMs: number,
  signal: Cancellation,
): Promise<void> {
  const endsMs = Date.now() + waitMs;
  for (
    let leftMs = waitMs;
    leftMs > 0 && !watch.queue.hasMore(cursor) && !lifetime.isOver;
    leftMs = endsMs - Date.now()
  ) {
    await watch.queue.waitForEvent(Math.min(leftMs, LIMITS.watchPollMs));
    stopIfCancelled(signal);
  }
}

const tooManyWatchesFault = (ids: readonly string[]): Fault =>
  new Fault("too_many_watches", `Cannot watch more: this session has ${LIMITS.watches} watches already`, {
    watches: ids,
  });

function throwUnknownWatch(id: string, running: ReadonlyMap<string, RunningWatch>): never {
  const others = running.size === 0 ? "nothing is watched" : `there are ${[...running.keys()].join(", ")}`;
  const shown = JSON.stringify(id.slice(0, LIMITS.quotedNameChars));
  throw new Fault("invalid_input", `Cannot find the watch ${shown}: ${others}`, { argument: "watch_id" });
}
