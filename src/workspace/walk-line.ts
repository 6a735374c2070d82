import type { Entry, SafePath } from "../storage/storage.ts";
import type { IgnoreRules } from "../text/ignore.ts";
import type { Reading } from "./scout.ts";
import type { Holder } from "./walk-holders.ts";

/** Where a directory lies, and the rules that hold there. */
export interface Spot {
  readonly entry: Entry | undefined;
  /** The path from the start of the walk. */
  readonly way: string;
  readonly depth: number;
  readonly rules: IgnoreRules;
  /** Set where it is, or will be, read beside the walk. */
  reading?: Reading | undefined;
}

/** A directory that is to be opened. */
export interface Waiting extends Spot {
  readonly entry: Entry;
  readonly place: SafePath;
  /** Where it is opened from; undefined where too many are open already. */
  readonly from: Holder | undefined;
}

/** The directories that wait: "deep" takes the last one first, "near" the first. */
export interface Line {
  add(waiting: Waiting): void;
  next(): Waiting | undefined;
  /** The one that will come last, of those above a depth that nobody was given yet. Each is given once. */
  farthest(above: number): Waiting | undefined;
}

export function createLine(order: "deep" | "near"): Line {
  const line: (Waiting | undefined)[] = [];
  let first = 0;
  /** Those before it were given. */
  let given = 0;
  return {
    add: (waiting) => void line.push(waiting),
    next() {
      if (order === "deep") {
        given = Math.min(given, Math.max(0, line.length - 1));
        return line.pop();
      }
      const next = line[first];
      line[first++] = undefined;
      return next;
    },
    farthest(above) {
      while (line[given]?.reading) given++;
      const waiting = line[given];
      if (!waiting || waiting.depth >= above) return undefined;
      given++;
      return waiting;
    },
  };
}
