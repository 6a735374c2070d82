import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { foldLooks } from "./look-alikes.ts";

/** Finds runs of lines in a text, equal under one key. Built once, then fast for every run. */
export interface LineSearch {
  /** Where all `lines` stand one after the other. A Fault when look-alikes make that endless. */
  find(lines: readonly string[]): number[];
}

/** What of a line counts. */
export type LineKey = (line: string) => string;

/** The ways in which lines are compared. A search is remembered by its key: whoever takes one of these shares it. */
export const LINE_KEYS = {
  exact: (line) => line,
  trailing: (line) => line.trimEnd(),
  trimmed: (line) => line.trim(),
  look: (line) => foldLooks(line).trimEnd(),
  trimmedLook: (line) => foldLooks(line).trim(),
} as const satisfies Readonly<Record<string, LineKey>>;

/** Lines are equal when their keys are. */
export function createLineSearch(texts: readonly string[], keyOf: LineKey): LineSearch {
  const numbers = new Map<string, number>();
  const places: number[][] = [];
  const ids = texts.map((text, at) => {
    const key = keyOf(text);
    const id = numbers.get(key) ?? numbers.size;
    if (id === numbers.size) numbers.set(key, id);
    (places[id] ??= []).push(at);
    return id;
  });
  const budget = { steps: LIMITS.matchSteps as number };
  return {
    find(lines) {
      const wanted = lines.map((line) => numbers.get(keyOf(line)) ?? -1);
      return wanted.length === 0 || wanted.includes(-1) ? [] : runsOf(ids, wanted, places, budget);
    },
  };
}

/** Begins at the rarest line, so that a common one such as "}" costs nothing. */
function runsOf(
  ids: readonly number[],
  wanted: readonly number[],
  places: readonly (readonly number[])[],
  budget: { steps: number },
): number[] {
  const rarity = wanted.map((id) => places[id]?.length ?? 0);
  const rarest = rarity.indexOf(rarity.reduce((least, count) => Math.min(least, count)));
  const found: number[] = [];
  for (const place of places[wanted[rarest] ?? -1] ?? []) {
    const start = place - rarest;
    if (start < 0) continue;
    const equal = equalLines(ids, wanted, start);
    budget.steps -= equal + 1;
    if (equal === wanted.length) found.push(start);
    if (budget.steps < 0)
      throw new Fault("many_matches", "Cannot find the lines: nearly the same ones stand everywhere");
  }
  return found;
}

function equalLines(ids: readonly number[], wanted: readonly number[], start: number): number {
  let equal = 0;
  while (equal < wanted.length && ids[start + equal] === wanted[equal]) equal++;
  return equal;
}
