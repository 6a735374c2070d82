import { LIMITS } from "../../base/limits.ts";
import type { Storage } from "../../storage/storage.ts";
import { watchedChildren } from "./watched-directory.ts";
import type { RecentChanges } from "../changes/recent-changes.ts";
import type { View } from "../view.ts";
import { createEventQueue, type EventQueue } from "./event-queue.ts";
import { reconcile } from "./reconcile.ts";
import { createEventMapper, type WatchFilter } from "./events.ts";
import { indexInodes } from "./inode-index.ts";
import {
  type WatchAllowance,
  createWatchedTree,
  removeWatch,
  markDirty,
  watchAll,
  type WatchedTree,
} from "./watched-tree.ts";

/** Holds what a watch needs. Its view lives as long as the watch, and checks every place before it is reported. */
export interface WatchDependencies {
  readonly view: View;
  readonly recent: RecentChanges;
  readonly allowance: WatchAllowance;
  /** Subscribes to the loss of hints, as when the operating system's queue overflows. */
  readonly onHintsLost: Storage["onHintsLost"];
}

/** An active watch of one part of the workspace. */
export interface Watch {
  readonly queue: EventQueue;
  end(): void;
}

/** Starts a watch. Every change after the promise resolves is reported. */
export async function createWatch(
  filter: WatchFilter,
  { view, recent, allowance, onHintsLost }: WatchDependencies,
): Promise<Watch> {
  recent.startTracking();
  const queue = createEventQueue();
  const mapEvents = createEventMapper(filter, view, recent);
  const debouncer = createDebouncer(async () => {
    const fileEvents = await reconcile(tree);
    if (tree.isLossy) queue.markOverflow();
    tree.isLossy = false;
    if (fileEvents.length > 0) await recent.catchUp();
    queue.add(mapEvents(fileEvents));
    if (!tree.root) debouncer.wake(LIMITS.rootPollMs);
  }, queue.markOverflow);
  const { scope } = filter;
  const tree = createWatchedTree({ view, scope, allowance, wake: debouncer.wake });
  const unsubscribe = onHintsLost(() => markAllDirty(tree));
  const end = (): void => {
    unsubscribe();
    debouncer.end();
    if (tree.root) removeWatch(tree, tree.root);
    tree.root = undefined;
  };
  try {
    await watchAll(tree);
  } catch (error) {
    end();
    throw error;
  }
  debouncer.start();
  // Until a file is indexed, its rename is reported as a delete and a create, which is correct, too.
  indexInodes(tree).catch(() => {});
  return { queue, end };
}

function markAllDirty(tree: WatchedTree): void {
  tree.isLossy = true;
  const waiting = tree.root ? [tree.root] : [];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    markDirty(tree, node);
    waiting.push(...watchedChildren(node));
  }
}

interface Debouncer {
  wake(ms?: number): void;
  /** Allows work to begin; a `wake` before this only marks that there is some. */
  start(): void;
  end(): void;
}

/** Runs `work` a short delay after `wake`, never twice at a time, and again if it was woken meanwhile. */
function createDebouncer(work: () => Promise<void>, onFailure: () => void): Debouncer {
  let state: "waiting" | "idle" | "timed" | "working" | "ended" = "waiting";
  let nextDelay: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const debouncer: Debouncer = {
    wake(ms = LIMITS.reconcileDelayMs) {
      nextDelay = Math.min(ms, nextDelay ?? ms);
      if (state !== "idle") return;
      state = "timed";
      timer = setTimeout(() => void run(), nextDelay).unref();
      nextDelay = undefined;
    },
    start() {
      state = "idle";
      if (nextDelay !== undefined) debouncer.wake(nextDelay);
    },
    end() {
      state = "ended";
      clearTimeout(timer);
    },
  };
  async function run(): Promise<void> {
    state = "working";
    await work().catch(() => isEnded() || onFailure());
    if (!isEnded()) debouncer.start();
  }
  const isEnded = (): boolean => state === "ended";
  return debouncer;
}
