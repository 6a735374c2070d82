import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { type Cancellation, stopIfCancelled } from "../../base/time-slicing.ts";
import type { PathPolicy } from "../../workspace/view.ts";
import type { Watch } from "../../workspace/watch/watch.ts";
import type { EventPage } from "../../workspace/watch/event-queue.ts";
import type { WatchFilter } from "../../workspace/watch/events.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Everything that one session watches. */
export interface Watches {
  /** Gives the id of a watch that is ready. The signal stops only the beginning. */
  begin(wish: WatchFilter, sight: PathPolicy, signal: Cancellation): Promise<string>;
  /** What happened since the cursor; waits for something to happen. */
  poll(what: PollOptions, signal: Cancellation): Promise<{ readonly page: EventPage; readonly quietMs: number }>;
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
  /** When something was last heard. */
  lastPolledMs: number;
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
    async begin(wish, sight, signal) {
      if (running.size + starting >= LIMITS.watches) throw tooManyWatchesFault([...running.keys()]);
      starting++;
      try {
        const life = { isOver: false, isReady: false };
        const lifelong = {
          get aborted() {
            return life.isOver || (!life.isReady && (isOver || signal.aborted));
          },
        };
        const watch = await workspace.watch(wish, { ...sight, signal: lifelong, progress: () => {} }, allowance);
        life.isReady = true;
        const id = `w${++begun}`;
        running.set(id, { watch, lifetime: life, lastPolledMs: Date.now() });
        return id;
      } finally {
        starting--;
      }
    },
    async poll({ id, cursor, waitMs }, signal) {
      const heard = running.get(id) ?? throwUnknownWatch(id, running);
      await waitForEvents(heard, cursor, waitMs, signal);
      const page = heard.watch.queue.read(cursor);
      if (page.events.length > 0 || page.overflow) heard.lastPolledMs = Date.now();
      return { page, quietMs: Date.now() - heard.lastPolledMs };
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

/** Nobody wakes a call that is cancelled: it has to look. */
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
