import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import { foldLooks } from "../encoding/look-alikes.ts";
import { LINES_A_STEP, type TextLine } from "../text-lines.ts";

/** Finds runs of lines in a text, equal under one key. Built once, then fast for every run. */
export interface LineSearch {
  /** Where all `lines` stand one after the other. A Fault when look-alikes make that endless. */
  find(lines: readonly string[]): SlicedWork<number[]>;
  /** Whether they stand at one place, which takes no search. */
  isAt(start: number, lines: readonly string[]): boolean;
}

/** What of a line counts. */
export type LineKey = (line: string) => string;

/** The ways in which lines are compared. A search is remembered by its key: whoever takes one of these shares it. */
export const LINE_KEYS = {
  exact: (line) => line,
  trailing: (line) => line.trimEnd(),
  trimmed: (line) => line.trim(),
  look: (line) => looksOf(line).trimEnd(),
  trimmedLook: (line) => looksOf(line).trim(),
} as const satisfies Readonly<Record<string, LineKey>>;

/** To fold a very long line takes seconds, and nothing could come between. */
const looksOf = (line: string): string => (line.length > LIMITS.foldedLineChars ? line : foldLooks(line));

/** Lines are equal when their keys are. */
export function* createLineSearch(lines: readonly TextLine[], keyOf: LineKey): SlicedWork<LineSearch> {
  const numbers = new Map<string, number>();
  const index: LineIndex = {
    ids: new Int32Array(lines.length),
    counts: new Int32Array(lines.length),
    first: new Int32Array(lines.length).fill(-1),
    next: new Int32Array(lines.length).fill(-1),
  };
  // From the end, so that each line finds the next one like it.
  for (let at = lines.length - 1; at >= 0; at--) {
    if (at % LINES_A_STEP === 0) yield;
    const key = keyOf(lines[at]?.text ?? "");
    const id = numbers.get(key) ?? numbers.size;
    if (id === numbers.size) numbers.set(key, id);
    addTo(index, id, at);
  }
  const budget = { steps: LIMITS.matchSteps as number };
  const idsOf = (searched: readonly string[]): number[] => searched.map((line) => numbers.get(keyOf(line)) ?? -1);
  return {
    isAt: (start, sought) => equalLines(index.ids, idsOf(sought), start) === sought.length,
    *find(sought) {
      const query = idsOf(sought);
      return query.length === 0 || query.includes(-1) ? [] : yield* runsOf(index, query, budget);
    },
  };
}

/** Lines by the number of their key. Lists in arrays of numbers: a list of its own for each key would take ten times as much. */
interface LineIndex {
  readonly ids: Int32Array;
  /** How many lines have a number, the first of them, and for each line the next one like it; -1 for none. */
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

/** Begins at the rarest line, so that a common one such as "}" costs nothing. */
function* runsOf(
  { ids, counts, first, next }: LineIndex,
  query: readonly number[],
  budget: { steps: number },
): SlicedWork<number[]> {
  const rarity = query.map((id) => counts[id] ?? 0);
  const rarest = rarity.indexOf(rarity.reduce((least, count) => Math.min(least, count)));
  const found: number[] = [];
  let left: number = STEPS_A_SLICE;
  for (let place = first[query[rarest] ?? -1] ?? -1; place >= 0; place = next[place] ?? -1) {
    const start = place - rarest;
    if (start < 0) continue;
    const equal = equalLines(ids, query, start);
    budget.steps -= equal + 1;
    left -= equal + 1;
    if (left < 0) {
      yield;
      left = STEPS_A_SLICE;
    }
    if (equal === query.length) found.push(start);
    if (budget.steps < 0)
      throw new Fault("many_matches", "Cannot find the lines: nearly the same ones stand everywhere");
  }
  return found;
}

const STEPS_A_SLICE = 100_000;

function equalLines(ids: Int32Array, query: readonly number[], start: number): number {
  let equal = 0;
  while (equal < query.length && ids[start + equal] === query[equal]) equal++;
  return equal;
}
