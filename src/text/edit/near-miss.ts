import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import { differenceBetween, excerptAround } from "./difference.ts";
import { foldLooks } from "../encoding/look-alikes.ts";
import { firstOccurrence } from "../search/occurrences.ts";
import { LINES_A_STEP, lineNumberAt, shortened, type TextLine } from "../text-lines.ts";

/** How near a file comes to a text that it does not hold: half a sentence, lines to show, and the same as data. */
export interface NearMiss {
  readonly summary: string;
  readonly report: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
}

/** Says which lines come closest and what is different there. Time and length are bounded for any input. */
export function* nearMiss(text: string, lines: readonly TextLine[], query: string): SlicedWork<NearMiss> {
  if (lines.length === 0) return { summary: "it is empty", report: [], details: {} };
  const closest = yield* closestTo(text, lines, query);
  if (closest === null) return { summary: "nothing in it is alike", report: [], details: {} };
  const { first, last, report } = closest;
  const summary = first === last ? `line ${first} comes closest` : `lines ${first}-${last} come closest`;
  return { summary, report: [report], details: { closest: { first, last } } };
}

interface Closest {
  readonly first: number;
  readonly last: number;
  readonly report: string;
}

function* closestTo(text: string, lines: readonly TextLine[], query: string): SlicedWork<Closest | null> {
  const wantedLines = query.split(/\r\n|\n|\r/);
  if (wantedLines.at(-1) === "") wantedLines.pop();
  const start = yield* closestStart(lines, wantedLines);
  if (start === null || (lines[start]?.text.length ?? 0) > LONG_LINE) return yield* closestPrefix(text, lines, query);
  const { last, differences, firstDifferent } = compare(lines, wantedLines, start);
  const shown = differences.slice(0, LIMITS.differencesListed);
  const more = differences.length > shown.length ? ["[More lines differ]"] : [];
  const report = [...shown, ...more, excerptAround(lines, firstDifferent ?? Math.max(0, start), last)].join("\n");
  return { first: Math.max(0, start) + 1, last: last + 1, report };
}

/** Comparing lines says nothing about a file that is one long line. */
const LONG_LINE = 1000;

const keyOf = (line: string): string => foldLooks(line.slice(0, LONG_LINE)).replace(/\s+/g, "").toLowerCase();

/** Every line of the file that is also wanted votes for where the wanted text would begin; long lines count more. */
function* closestStart(lines: readonly TextLine[], query: readonly string[]): SlicedWork<number | null> {
  const indexes = new Map<string, number[]>();
  for (const [index, line] of query.entries()) {
    if (index % LINES_A_STEP === 0) yield;
    const key = keyOf(line);
    const known = indexes.get(key);
    if (known === undefined) indexes.set(key, [index]);
    else if (known.length < REPEATS) known.push(index);
  }
  indexes.delete("");
  const votes = new Map<number, number>();
  const seen = new Set<string>();
  const keys: string[] = [];
  for (const [at, { text }] of lines.entries()) {
    if (at % LINES_A_STEP === 0) yield;
    const key = keyOf(text);
    keys.push(key);
    for (const index of indexes.get(key) ?? []) vote(votes, at - index, weightOf(key));
    if (indexes.has(key)) seen.add(key);
  }
  const missing = [...indexes].filter(([key]) => !seen.has(key));
  for (const [key, [index = 0]] of longest(missing)) yield* voteByLikeness(votes, keys, key, index);
  return winnerOf(votes);
}

/** Of a line that is wanted many times only the first few vote: all of them would take time squared. */
const REPEATS = 4;
const ANCHORS = 3;
const WEIGHT = 32;

const weightOf = (key: string): number => Math.min(key.length, WEIGHT);

function vote(votes: Map<number, number>, start: number, weight: number): void {
  votes.set(start, (votes.get(start) ?? 0) + weight);
}

const longest = (entries: [string, number[]][]): [string, number[]][] =>
  entries.toSorted(([a], [b]) => b.length - a.length).slice(0, ANCHORS);

function winnerOf(votes: ReadonlyMap<number, number>): number | null {
  let winner: number | null = null;
  let most = 0;
  for (const [start, weight] of votes) if (weight > most) [winner, most] = [start, weight];
  return winner;
}

/** Lines that share half of their letter pairs with a wanted one vote too: a typing error must not hide the place. */
function* voteByLikeness(
  votes: Map<number, number>,
  keys: readonly string[],
  query: string,
  index: number,
): SlicedWork<void> {
  const pairs = new Set<number>();
  for (let at = 1; at < query.length; at++) pairs.add(pairAt(query, at));
  let budget = LIMITS.closestChars / ANCHORS;
  for (const [at, key] of keys.entries()) {
    if (at % LINES_A_STEP === 0) yield;
    budget -= key.length + 1;
    if (budget < 0) return;
    if (key.length * 3 < query.length) continue;
    let common = 0;
    for (let next = 1; next < key.length; next++) if (pairs.has(pairAt(key, next))) common++;
    const likeness = common / Math.max(query.length, Math.min(key.length, query.length * 3), 1);
    if (likeness >= 0.5) vote(votes, at - index, likeness * weightOf(query));
  }
}

const pairAt = (key: string, at: number): number => key.charCodeAt(at - 1) * 0x10000 + key.charCodeAt(at);

interface Comparison {
  readonly last: number;
  readonly differences: string[];
  readonly firstDifferent: number | undefined;
}

/** Walks both side by side and takes up the thread again behind a line that only one of them has. */
function compare(lines: readonly TextLine[], query: readonly string[], start: number): Comparison {
  const differences: string[] = [];
  let firstDifferent: number | undefined;
  let index = Math.max(0, -start);
  let at = Math.max(0, start);
  while (index < query.length && differences.length <= LIMITS.differencesListed) {
    const mine = query[index] ?? "";
    const theirs = lines[at]?.text;
    if (mine !== theirs && !isPart(theirs, query, index)) {
      firstDifferent ??= at;
      const step = stepAt(lines, query, at, index);
      differences.push(step.difference);
      if (theirs === undefined) break;
      [index, at] = [index + step.mine, at + step.theirs];
      continue;
    }
    [index, at] = [index + 1, at + 1];
  }
  const last = index >= query.length ? at - 1 : at + query.length - index;
  return { last: Math.max(0, Math.min(last, lines.length - 1)), differences, firstDifferent };
}

/** The first and the last wanted line may begin or end inside a line of the file. */
function isPart(theirs: string | undefined, query: readonly string[], index: number): boolean {
  const mine = query[index] ?? "";
  if (theirs === undefined) return false;
  if (query.length === 1) return theirs.includes(mine);
  if (index === 0) return theirs.endsWith(mine);
  return index === query.length - 1 && theirs.startsWith(mine);
}

const LOOK_AHEAD = 8;

function stepAt(
  lines: readonly TextLine[],
  query: readonly string[],
  at: number,
  index: number,
): { difference: string; mine: number; theirs: number } {
  const mine = query[index] ?? "";
  const theirs = lines[at]?.text;
  if (theirs === undefined) {
    return { difference: `the file ends at line ${lines.length}; you wrote "${shortened(mine)}"`, mine: 0, theirs: 0 };
  }
  const place = `line ${at + 1}:`;
  if (keyOf(mine) === keyOf(theirs)) return { difference: differenceAt(place, mine, theirs), mine: 1, theirs: 1 };
  for (let skip = 1; skip <= LOOK_AHEAD; skip++) {
    if (isAlike(mine, lines[at + skip]?.text)) {
      return { difference: `${place} the file has "${shortened(theirs)}", which you left out`, mine: 0, theirs: skip };
    }
    if (isAlike(theirs, query[index + skip])) {
      return { difference: `${place} you wrote "${shortened(mine)}", which is not there`, mine: skip, theirs: 0 };
    }
  }
  return { difference: differenceAt(place, mine, theirs), mine: 1, theirs: 1 };
}

const differenceAt = (place: string, mine: string, theirs: string): string =>
  `${place} ${differenceBetween(mine, theirs)}`;

function isAlike(line: string, other: string | undefined): boolean {
  return other !== undefined && keyOf(line) !== "" && keyOf(line) === keyOf(other);
}

const PREFIX = 256;

/** The longest beginning of the wanted text that the file holds, and how both go on. */
function* closestPrefix(text: string, lines: readonly TextLine[], query: string): SlicedWork<Closest | null> {
  let length = 0;
  let at = 0;
  for (let step = PREFIX; step >= 1; step /= 2) {
    if (length + step > query.length) continue;
    const found = yield* firstOccurrence(text, query.slice(0, length + step));
    if (found >= 0) [length, at] = [length + step, found];
  }
  if (length < Math.min(8, query.length)) return null;
  const number = lineNumberAt(lines, at);
  const column = at - (lines[number - 1]?.start ?? 0) + 1;
  const [mine, theirs] = [query.slice(length, length + 40), text.slice(at + length, at + length + 40)];
  const report = `line ${number}, column ${column}: the first ${length} characters fit; then you wrote "${mine}", the file has "${theirs}"`;
  return { first: number, last: number, report };
}
