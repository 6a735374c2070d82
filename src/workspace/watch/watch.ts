import { LIMITS } from "../../base/limits.ts";
import type { Storage } from "../../storage/storage.ts";
import { directoriesIn } from "./watched-directory.ts";
import type { RecentChanges } from "../changes/recent-changes.ts";
import type { View } from "../view.ts";
import { createEventQueue, type EventQueue } from "./queue.ts";
import { reconcile } from "./reconcile.ts";
import { createEventMapper, type WatchFilter } from "./events.ts";
import { indexInodes } from "./inode-index.ts";
import {
  type WatchAllowance,
  createWatchedTree,
  removeWatch,
  markDirty,
  survey,
  type WatchedTree,
} from "./watched-tree.ts";

/** What a watch stands on. Its view lives as long as the watch, and judges every place that is ever told. */
export interface Watching {
  readonly view: View;
  readonly recent: RecentChanges;
  readonly allowance: WatchAllowance;
  /** Tells when hints were lost. */
  readonly onLost: Storage["onLost"];
}

/** A part of the workspace that is watched. */
export interface Watch {
  readonly queue: EventQueue;
  end(): void;
}

/** Is ready once it resolves: what happens from then on will be told. */
export async function createWatch(wish: WatchFilter, { view, recent, allowance, onLost }: Watching): Promise<Watch> {
  recent.begin();
  const queue = createEventQueue();
  const tell = createEventMapper(wish, view, recent);
  const debouncer = createRhythm(async () => {
    const happened = await reconcile(tree);
    if (tree.isLossy) queue.lose();
    tree.isLossy = false;
    if (happened.length > 0) await recent.catchUp();
    queue.add(tell(happened));
    if (!tree.root) debouncer.wake(LIMITS.rootLookMs);
  }, queue.lose);
  const { scope } = wish;
  const tree = createWatchedTree({ view, scope, allowance, wake: debouncer.wake });
  const unsubscribe = onLost(() => doubtEverything(tree));
  const end = (): void => {
    unsubscribe();
    debouncer.end();
    if (tree.root) removeWatch(tree, tree.root);
    tree.root = undefined;
  };
  try {
    await survey(tree);
  } catch (error) {
    end();
    throw error;
  }
  debouncer.begin();
  // A name that is not known yet is told as deleted here and created there, which is true as well.
  indexInodes(tree).catch(() => {});
  return { queue, end };
}

function doubtEverything(tree: WatchedTree): void {
  tree.isLossy = true;
  const waiting = tree.root ? [tree.root] : [];
  for (let branch = waiting.pop(); branch; branch = waiting.pop()) {
    markDirty(tree, branch);
    waiting.push(...directoriesIn(branch));
  }
}

interface Rhythm {
  wake(ms?: number): void;
  /** Before this, hints only gather. */
  begin(): void;
  end(): void;
}

/** Works a moment after it is woken, one piece of work at a time, and never for nothing. */
function createRhythm(work: () => Promise<void>, failed: () => void): Rhythm {
  let state: "waiting" | "idle" | "timed" | "working" | "ended" = "waiting";
  let again: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const debouncer: Rhythm = {
    wake(ms = LIMITS.settleMs) {
      again = Math.min(ms, again ?? ms);
      if (state !== "idle") return;
      state = "timed";
      timer = setTimeout(() => void run(), again).unref();
      again = undefined;
    },
    begin() {
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
    if (!isEnded()) debouncer.begin();
  }
  const isEnded = (): boolean => state === "ended";
  return debouncer;
}
