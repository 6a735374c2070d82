import type { Entry, SafePath } from "../../storage/storage.ts";
import type { IgnoreRules } from "../../text/glob/ignore.ts";
import type { PendingJob } from "./worker/job.ts";
import type { ReadAheadResults } from "./worker/run-job.ts";
import type { OpenDirectoryRef } from "./open-directories.ts";

/** A directory of the walk with its position and the ignore rules that apply to it. */
export interface WalkFrame {
  readonly entry: Entry | undefined;
  /** Is relative to the start of the walk. */
  readonly relativePath: string;
  readonly depth: number;
  readonly rules: IgnoreRules;
  /** Is set if it is, or will be, read before the walk reaches it. */
  pendingRead?: PendingRead | undefined;
}

/** A job that reads this directory, maybe with others; `results` is set once the job has ended. */
export interface PendingRead {
  results: ReadAheadResults | undefined;
  readonly job?: PendingJob;
}

/** A directory that waits to be opened. */
export interface QueuedDirectory extends WalkFrame {
  readonly entry: Entry;
  readonly place: SafePath;
  /** The parent from which it is opened; undefined if too many are open, and it is opened by its path. */
  readonly from: OpenDirectoryRef | undefined;
}

/** Returns true if no job reads it: it has none, or its job ended at a limit before it came to this directory. */
export const isUnread = ({ pendingRead, relativePath }: QueuedDirectory): boolean =>
  !pendingRead || (pendingRead.results !== undefined && !pendingRead.results.has(relativePath));

/** Holds the directories that wait to be opened: "deep" takes the last one first (LIFO), "near" the first (FIFO). */
export interface WalkQueue {
  add(queued: QueuedDirectory): void;
  next(): QueuedDirectory | undefined;
  /** Yields, in the order of a deep walk, the directories that no job reads yet. */
  unread(): Iterable<QueuedDirectory>;
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
    *unread() {
      for (let at = items.length - 1; at >= 0; at--) {
        const queued = items[at];
        if (queued && isUnread(queued)) yield queued;
      }
    },
  };
}
