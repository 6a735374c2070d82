import type { Entry, SafePath } from "../../storage/storage.ts";
import type { IgnoreRules } from "../../text/glob/ignore.ts";
import type { PendingJob } from "./worker/job.ts";
import type { ReadAheadResults } from "./worker/run-job.ts";
import type { OpenDirectoryRef } from "./open-directories.ts";

/** Where a directory lies, and the rules that hold there. */
export interface WalkFrame {
  readonly entry: Entry | undefined;
  /** The path from the start of the walk. */
  readonly relativePath: string;
  readonly depth: number;
  readonly rules: IgnoreRules;
  /** Set where it is, or will be, read before the walk comes there. */
  pendingRead?: PendingRead | undefined;
}

/** What is read together; what was found, once that is over. */
export interface PendingRead {
  results: ReadAheadResults | undefined;
  readonly job?: PendingJob;
}

/** A directory that is to be opened. */
export interface QueuedDirectory extends WalkFrame {
  readonly entry: Entry;
  readonly place: SafePath;
  /** Where it is opened from; undefined where too many are open already. */
  readonly from: OpenDirectoryRef | undefined;
}

/** Whether nobody reads it: what it was to be read with may have been enough without it. */
export const isUnread = ({ pendingRead, relativePath }: QueuedDirectory): boolean =>
  !pendingRead || (pendingRead.results !== undefined && !pendingRead.results.has(relativePath));

/** The directories that wait: "deep" takes the last one first, "near" the first. */
export interface WalkQueue {
  add(waiting: QueuedDirectory): void;
  next(): QueuedDirectory | undefined;
  /** The next of a deep walk that nobody reads yet. */
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
        const waiting = items[at];
        if (waiting && isUnread(waiting)) yield waiting;
      }
    },
  };
}
