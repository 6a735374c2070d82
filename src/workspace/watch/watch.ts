import { LIMITS } from "../../base/limits.ts";
import type { Storage } from "../../storage/storage.ts";
import { branchesIn } from "./watched-directory.ts";
import type { RecentChanges } from "../changes/recent-changes.ts";
import type { View } from "../view.ts";
import { createEventQueue, type EventQueue } from "./queue.ts";
import { settle } from "./reconcile.ts";
import { createTeller, type WatchWish } from "./events.ts";
import { learn } from "./inode-index.ts";
import { type Allowance, createTree, cut, doubt, survey, type Tree } from "./watched-tree.ts";

/** What a watch stands on. Its view lives as long as the watch, and judges every place that is ever told. */
export interface Watching {
  readonly view: View;
  readonly recent: RecentChanges;
  readonly allowance: Allowance;
  /** Tells when hints were lost. */
  readonly onLost: Storage["onLost"];
}

/** A part of the workspace that is watched. */
export interface Watch {
  readonly queue: EventQueue;
  end(): void;
}

/** Is ready once it resolves: what happens from then on will be told. */
export async function createWatch(wish: WatchWish, { view, recent, allowance, onLost }: Watching): Promise<Watch> {
  recent.begin();
  const queue = createEventQueue();
  const tell = createTeller(wish, view, recent);
  const rhythm = createRhythm(async () => {
    const happened = await settle(tree);
    if (tree.isLossy) queue.lose();
    tree.isLossy = false;
    if (happened.length > 0) await recent.catchUp();
    queue.add(tell(happened));
    if (!tree.root) rhythm.wake(LIMITS.rootLookMs);
  }, queue.lose);
  const { scope } = wish;
  const tree = createTree({ view, scope, allowance, wake: rhythm.wake });
  const deafen = onLost(() => doubtEverything(tree));
  const end = (): void => {
    deafen();
    rhythm.end();
    if (tree.root) cut(tree, tree.root);
    tree.root = undefined;
  };
  try {
    await survey(tree);
  } catch (error) {
    end();
    throw error;
  }
  rhythm.begin();
  // A name that is not known yet is told as deleted here and created there, which is true as well.
  learn(tree).catch(() => {});
  return { queue, end };
}

function doubtEverything(tree: Tree): void {
  tree.isLossy = true;
  const waiting = tree.root ? [tree.root] : [];
  for (let branch = waiting.pop(); branch; branch = waiting.pop()) {
    doubt(tree, branch);
    waiting.push(...branchesIn(branch));
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
  const rhythm: Rhythm = {
    wake(ms = LIMITS.settleMs) {
      again = Math.min(ms, again ?? ms);
      if (state !== "idle") return;
      state = "timed";
      timer = setTimeout(() => void run(), again).unref();
      again = undefined;
    },
    begin() {
      state = "idle";
      if (again !== undefined) rhythm.wake(again);
    },
    end() {
      state = "ended";
      clearTimeout(timer);
    },
  };
  async function run(): Promise<void> {
    state = "working";
    await work().catch(() => isEnded() || failed());
    if (!isEnded()) rhythm.begin();
  }
  const isEnded = (): boolean => state === "ended";
  return rhythm;
}
