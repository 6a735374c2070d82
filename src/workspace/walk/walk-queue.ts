import type { Entry, SafePath } from "../../storage/storage.ts";
import type { IgnoreRules } from "../../text/glob/ignore.ts";
import type { OpenDirectoryRef } from "./open-directories.ts";

/** A directory of the walk with its position and the ignore rules that apply to it. */
export interface WalkFrame {
  readonly entry: Entry | undefined;
  /** Is relative to the start of the walk. */
  readonly relativePath: string;
  readonly depth: number;
  readonly rules: IgnoreRules;
}

/** A directory that waits to be opened. */
export interface QueuedDirectory extends WalkFrame {
  readonly entry: Entry;
  readonly place: SafePath;
  /** The parent from which it is opened; undefined if too many are open, and it is opened by its path. */
  readonly from: OpenDirectoryRef | undefined;
}

/** Holds the directories that wait to be opened: "deep" takes the last one first (LIFO), "near" the first (FIFO). */
export interface WalkQueue {
  add(queued: QueuedDirectory): void;
  next(): QueuedDirectory | undefined;
}

export function createWalkQueue(order: "deep" | "near"): WalkQueue {
  const items: (QueuedDirectory | undefined)[] = [];
  let first = 0;
  return {
    add: (queued) => void items.push(queued),
    next() {
      if (order === "deep") return items.pop();
      const next = items[first];
      items[first++] = undefined;
      return next;
    },
  };
}
