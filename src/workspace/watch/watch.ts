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

/** What a watch stands on. Its view lives as long as the watch, and judges every place that is ever told. */
export interface WatchDependencies {
  readonly view: View;
  readonly recent: RecentChanges;
  readonly allowance: WatchAllowance;
  /** Tells when hints were lost. */
  readonly onHintsLost: Storage["onHintsLost"];
}

/** A part of the workspace that is watched. */
export interface Watch {
  readonly queue: EventQueue;
  end(): void;
}

/** Is ready once it resolves: what happens from then on will be told. */
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
  // A name that is not known yet is told as deleted here and created there, which is true as well.
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
  /** Before this, hints only gather. */
  start(): void;
  end(): void;
}

/** Works a moment after it is woken, one piece of work at a time, and never for nothing. */
function createDebouncer(work: () => Promise<void>, failed: () => void): Debouncer {
  let state: "waiting" | "idle" | "timed" | "working" | "ended" = "waiting";
  let again: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const debouncer: Debouncer = {
    wake(ms = LIMITS.reconcileDelayMs) {
      again = Math.min(ms, again ?? ms);
      if (state !== "idle") return;
      state = "timed";
      timer = setTimeout(() => void run(), again).unref();
      again = undefined;
    },
    start() {
      state = "idle";
      if (again !== undefined) debouncer.wake(again);
    },
    end() {
      state = "ended";
      clearTimeout(timer);
    },
  };
  async function run(): Promise<void> {
    state = "working";
    await work().catch(() => isEnded() || failed());
    if (!isEnded()) debouncer.start();
  }
  const isEnded = (): boolean => state === "ended";
  return debouncer;
}
