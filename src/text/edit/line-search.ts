import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import { foldLooks } from "../encoding/look-alikes.ts";
import { LINES_PER_STEP, type TextLine } from "../text-lines.ts";

/** Finds sequences of lines whose keys are equal. The index is built once and serves every search. */
export interface LineSearch {
  /**
   * Returns the indexes where all `lines` follow each other. Throws a fault if near matches would exceed the step
   * budget.
   */
  find(lines: readonly string[]): SlicedWork<number[]>;
  /** Compares the lines at one index, without a search. */
  isAt(start: number, lines: readonly string[]): boolean;
}

/** Returns the part of a line that is compared. */
export type LineKey = (line: string) => string;

/** The keys for comparing lines. A search index is cached by its key function, so callers that use these share it. */
export const LINE_KEYS = {
  exact: (line) => line,
  trailing: (line) => line.trimEnd(),
  trimmed: (line) => line.trim(),
  look: (line) => looksOf(line).trimEnd(),
  trimmedLook: (line) => looksOf(line).trim(),
} as const satisfies Readonly<Record<string, LineKey>>;

/** Skips folding for a very long line, which would take seconds and cannot be interrupted. */
const looksOf = (line: string): string => (line.length > LIMITS.foldedLineChars ? line : foldLooks(line));

/** Builds the index. Lines are equal if their keys are. */
export function* createLineSearch(lines: readonly TextLine[], keyOf: LineKey): SlicedWork<LineSearch> {
  const numbers = new Map<string, number>();
  const index: LineIndex = {
    ids: new Int32Array(lines.length),
    counts: new Int32Array(lines.length),
    first: new Int32Array(lines.length).fill(-1),
    next: new Int32Array(lines.length).fill(-1),
  };
  // Runs from the end, so that each line links to the next equal one.
  for (let at = lines.length - 1; at >= 0; at--) {
    if (at % LINES_PER_STEP === 0) yield;
    const key = keyOf(lines[at]?.text ?? "");
    const id = numbers.get(key) ?? numbers.size;
    if (id === numbers.size) numbers.set(key, id);
    addTo(index, id, at);
  }
  const budget = { steps: LIMITS.matchSteps as number };
  const idsOf = (searched: readonly string[]): number[] => searched.map((line) => numbers.get(keyOf(line)) ?? -1);
  return {
    isAt: (start, queried) => equalLines(index.ids, idsOf(queried), start) === queried.length,
    *find(queried) {
      const query = idsOf(queried);
      return query.length === 0 || query.includes(-1) ? [] : yield* runsOf(index, query, budget);
    },
  };
}

/**
 * An index of lines by the id of their key. Linked lists in typed arrays take a tenth of the memory of one array per
 * key.
 */
interface LineIndex {
  readonly ids: Int32Array;
  /** The number of lines per id, the first of them, and for each line the next equal one; -1 for none. */
  readonly counts: Int32Array;
  readonly first: Int32Array;
  readonly next: Int32Array;
}

function addTo({ ids, counts, first, next }: LineIndex, id: number, at: number): void {
  ids[at] = id;
  counts[id] = (counts[id] ?? 0) + 1;
  next[at] = first[id] ?? -1;
  first[id] = at;
}

/** Starts at the rarest line of the query, so that a common one such as "}" costs nothing. */
function* runsOf(
  { ids, counts, first, next }: LineIndex,
  query: readonly number[],
  budget: { steps: number },
): SlicedWork<number[]> {
  const frequencies = query.map((id) => counts[id] ?? 0);
  const rarest = frequencies.indexOf(frequencies.reduce((least, count) => Math.min(least, count)));
  const found: number[] = [];
  let left: number = STEPS_PER_SLICE;
  for (let place = first[query[rarest] ?? -1] ?? -1; place >= 0; place = next[place] ?? -1) {
    const start = place - rarest;
    if (start < 0) continue;
    const equal = equalLines(ids, query, start);
    budget.steps -= equal + 1;
    left -= equal + 1;
    if (left < 0) {
      yield;
      left = STEPS_PER_SLICE;
    }
    if (equal === query.length) found.push(start);
    if (budget.steps < 0) throw new Fault("many_matches", "Cannot find the lines: too many places are nearly the same");
  }
  return found;
}

const STEPS_PER_SLICE = 100_000;

function equalLines(ids: Int32Array, query: readonly number[], start: number): number {
  let equal = 0;
  while (equal < query.length && ids[start + equal] === query[equal]) equal++;
  return equal;
}
