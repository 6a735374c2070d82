import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import { differenceBetween, excerptAround } from "./line-difference.ts";
import { foldLooks } from "../encoding/look-alikes.ts";
import { firstOccurrence } from "../search/occurrences.ts";
import { LINES_PER_STEP, lineNumberAt, shortenLine, type TextLine } from "../text-lines.ts";

/**
 * Describes the part of a file that is most similar to a text it does not contain: a summary, lines to show, and data.
 */
export interface NearMiss {
  readonly summary: string;
  readonly report: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
}

/** Finds the most similar lines and describes the differences. Time and length are bounded for any input. */
export function* nearMiss(text: string, lines: readonly TextLine[], query: string): SlicedWork<NearMiss> {
  if (lines.length === 0) return { summary: "it is empty", report: [], details: {} };
  const closest = yield* closestTo(text, lines, query);
  if (closest === null) return { summary: "nothing in it is similar", report: [], details: {} };
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
  const queryLines = query.split(/\r\n|\n|\r/);
  if (queryLines.at(-1) === "") queryLines.pop();
  const start = yield* closestStart(lines, queryLines);
  if (start === null || (lines[start]?.text.length ?? 0) > LONG_LINE) return yield* closestPrefix(text, lines, query);
  const { last, differences, firstDifferent } = compareLines(lines, queryLines, start);
  const shown = differences.slice(0, LIMITS.differencesListed);
  const more = differences.length > shown.length ? ["[More lines differ]"] : [];
  const report = [...shown, ...more, excerptAround(lines, firstDifferent ?? Math.max(0, start), last)].join("\n");
  return { first: Math.max(0, start) + 1, last: last + 1, report };
}

/** Lines above this length are not compared as lines: that says nothing about a file that is one long line. */
const LONG_LINE = 1000;

const keyOf = (line: string): string => foldLooks(line.slice(0, LONG_LINE)).replace(/\s+/g, "").toLowerCase();

/**
 * Finds the most likely start by voting: every file line that equals a query line votes for the start it implies.
 * Longer lines have more weight.
 */
function* closestStart(lines: readonly TextLine[], query: readonly string[]): SlicedWork<number | null> {
  const indexes = new Map<string, number[]>();
  for (const [index, line] of query.entries()) {
    if (index % LINES_PER_STEP === 0) yield;
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
    if (at % LINES_PER_STEP === 0) yield;
    const key = keyOf(text);
    keys.push(key);
    for (const index of indexes.get(key) ?? []) addVote(votes, at - index, weightOf(key));
    if (indexes.has(key)) seen.add(key);
  }
  const missing = [...indexes].filter(([key]) => !seen.has(key));
  for (const [key, [index = 0]] of longestFirst(missing)) yield* voteByLikeness(votes, keys, key, index);
  return winnerOf(votes);
}

/** Only the first few repeats of a query line vote, because all of them would take quadratic time. */
const REPEATS = 4;
const ANCHORS = 3;
const WEIGHT = 32;

const weightOf = (key: string): number => Math.min(key.length, WEIGHT);

function addVote(votes: Map<number, number>, start: number, weight: number): void {
  votes.set(start, (votes.get(start) ?? 0) + weight);
}

const longestFirst = (entries: [string, number[]][]): [string, number[]][] =>
  entries.toSorted(([a], [b]) => b.length - a.length).slice(0, ANCHORS);

function winnerOf(votes: ReadonlyMap<number, number>): number | null {
  let winner: number | null = null;
  let most = 0;
  for (const [start, weight] of votes) if (weight > most) [winner, most] = [start, weight];
  return winner;
}

/**
 * Lets lines vote too that share at least half of their letter pairs (bigrams) with a query line, so that a typing
 * error does not hide the place.
 */
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
    if (at % LINES_PER_STEP === 0) yield;
    budget -= key.length + 1;
    if (budget < 0) return;
    if (key.length * 3 < query.length) continue;
    let common = 0;
    for (let next = 1; next < key.length; next++) if (pairs.has(pairAt(key, next))) common++;
    const likeness = common / Math.max(query.length, Math.min(key.length, query.length * 3), 1);
    if (likeness >= 0.5) addVote(votes, at - index, likeness * weightOf(query));
  }
}

const pairAt = (key: string, at: number): number => key.charCodeAt(at - 1) * 0x10000 + key.charCodeAt(at);

interface Comparison {
  readonly last: number;
  readonly differences: string[];
  readonly firstDifferent: number | undefined;
}

/** Compares both line by line and resynchronizes after a line that only one of them has. */
function compareLines(lines: readonly TextLine[], query: readonly string[], start: number): Comparison {
  const differences: string[] = [];
  let firstDifferent: number | undefined;
  let index = Math.max(0, -start);
  let at = Math.max(0, start);
  while (index < query.length && differences.length <= LIMITS.differencesListed) {
    const queryLine = query[index] ?? "";
    const fileLine = lines[at]?.text;
    if (queryLine !== fileLine && !isPart(fileLine, query, index)) {
      firstDifferent ??= at;
      const step = stepAt(lines, query, at, index);
      differences.push(step.difference);
      if (fileLine === undefined) break;
      [index, at] = [index + step.queryLines, at + step.fileLines];
      continue;
    }
    [index, at] = [index + 1, at + 1];
  }
  const last = index >= query.length ? at - 1 : at + query.length - index;
  return { last: Math.max(0, Math.min(last, lines.length - 1)), differences, firstDifferent };
}

/** Accepts partial lines: the first and the last query line may begin or end inside a line of the file. */
function isPart(fileLine: string | undefined, query: readonly string[], index: number): boolean {
  const queryLine = query[index] ?? "";
  if (fileLine === undefined) return false;
  if (query.length === 1) return fileLine.includes(queryLine);
  if (index === 0) return fileLine.endsWith(queryLine);
  return index === query.length - 1 && fileLine.startsWith(queryLine);
}

const LOOK_AHEAD = 8;

function stepAt(
  lines: readonly TextLine[],
  query: readonly string[],
  at: number,
  index: number,
): { difference: string; queryLines: number; fileLines: number } {
  const queryLine = query[index] ?? "";
  const fileLine = lines[at]?.text;
  if (fileLine === undefined) {
    return {
      difference: `the file ends at line ${lines.length}; you wrote "${shortenLine(queryLine)}"`,
      queryLines: 0,
      fileLines: 0,
    };
  }
  const place = `line ${at + 1}:`;
  if (keyOf(queryLine) === keyOf(fileLine))
    return { difference: differenceAt(place, queryLine, fileLine), queryLines: 1, fileLines: 1 };
  for (let skip = 1; skip <= LOOK_AHEAD; skip++) {
    if (isAlike(queryLine, lines[at + skip]?.text)) {
      return {
        difference: `${place} the file has "${shortenLine(fileLine)}", which you left out`,
        queryLines: 0,
        fileLines: skip,
      };
    }
    if (isAlike(fileLine, query[index + skip])) {
      return {
        difference: `${place} you wrote "${shortenLine(queryLine)}", which is not there`,
        queryLines: skip,
        fileLines: 0,
      };
    }
  }
  return { difference: differenceAt(place, queryLine, fileLine), queryLines: 1, fileLines: 1 };
}

const differenceAt = (place: string, queryLine: string, fileLine: string): string =>
  `${place} ${differenceBetween(queryLine, fileLine)}`;

function isAlike(line: string, other: string | undefined): boolean {
  return other !== undefined && keyOf(line) !== "" && keyOf(line) === keyOf(other);
}

const PREFIX = 256;

/** Finds the longestFirst prefix of the query that the file contains, by binary search, and shows how both continue. */
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
  const [queryRest, fileRest] = [query.slice(length, length + 40), text.slice(at + length, at + length + 40)];
  const report = `line ${number}, column ${column}: the first ${length} characters fit; then you wrote "${queryRest}", the file has "${fileRest}"`;
  return { first: number, last: number, report };
}
