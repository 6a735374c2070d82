import { diffArrays } from "diff/lib/diff/array.js";
import { LIMITS } from "../base/limits.ts";

/** A run of whole lines that became another. All four are offsets of line starts, or of the end. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly afterFrom: number;
  readonly afterTo: number;
}

/** What turns one text into the other, in order, with a kept line between any two. Bounded in time. */
export function lineChanges(before: string, after: string): readonly Change[] {
  return changesBy((left, right) => pairsDown(left, right), before, after);
}

/** A change that takes in its own doubt. `inPlace`: as many lines as before, and all of them other ones. */
export interface CertainChange extends Change {
  readonly inPlace: boolean;
}

/**
 * The same, but where the texts can be compared in several ways a change spans what they disagree on: a line is
 * kept only where reading from the top and from the bottom agree, and not beside a change that holds it too.
 */
export function certainChanges(before: string, after: string): readonly CertainChange[] {
  const changes = changesBy(agreedPairs, before, after);
  const certain: CertainChange[] = [];
  for (const [index, change] of changes.entries()) {
    const next = changes[index + 1]?.from ?? before.length;
    certain.push(widened(before, after, change, certain.at(-1)?.to ?? 0, next));
  }
  return certain;
}

/** How many lines begin in a stretch of text; a last one without a line feed counts. */
export function countLines(text: string, from = 0, to = text.length): number {
  // In the whole text, the search for the last line feed would go on to the end of a line of any length.
  const stretch = text.slice(from, to);
  let lines = 0;
  for (let at = 0; at < stretch.length; at = nextLine(stretch, at)) lines += 1;
  return lines;
}

/** Where the line after the one that holds `at` starts, or the text ends. */
export function nextLine(text: string, at: number): number {
  return text.indexOf("\n", at) + 1 || text.length;
}

/** Where the line before the one that starts at `at` starts. */
export function previousLine(text: string, at: number): number {
  return at < 2 ? 0 : text.lastIndexOf("\n", at - 2) + 1;
}

/** A line of one text and the same line of the other, by index. */
type Pair = readonly [before: number, after: number];

/** Finds lines that two lists have in common, in order. */
type Pairing = (before: number[], after: number[]) => readonly Pair[];

function changesBy(pairing: Pairing, before: string, after: string): readonly Change[] {
  if (before === after) return [];
  const head = commonHead(before, after);
  const tail = commonTail(before, after, Math.min(before.length, after.length) - head);
  const left = linesOf(before, head, before.length - tail);
  const right = linesOf(after, head, after.length - tail);
  const pairs = commonPairs(left.texts, right.texts, pairing);
  const changes: Change[] = [];
  let [line, other] = [0, 0];
  for (const [nextKept, otherKept] of [...pairs, [left.texts.length, right.texts.length] as const]) {
    if (nextKept > line || otherKept > other) {
      const [from, to] = [startOf(left, line), startOf(left, nextKept)];
      changes.push({ from, to, afterFrom: startOf(right, other), afterTo: startOf(right, otherKept) });
    }
    [line, other] = [nextKept + 1, otherKept + 1];
  }
  return changes;
}

/** Compared in pieces: two slices meet at the speed of memory, two characters do not. */
const PIECE = 4096;

/** Length of the whole lines that two different texts both start with. */
function commonHead(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before.slice(same, same + PIECE) === after.slice(same, same + PIECE)) same += PIECE;
  while (same < most && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  return same === 0 ? 0 : before.lastIndexOf("\n", same - 1) + 1;
}

/** Length of the whole lines that both texts end with, at most `most`. */
function commonTail(before: string, after: string, most: number): number {
  let same = 0;
  while (same + PIECE <= most && pieceFromEnd(before, same) === pieceFromEnd(after, same)) same += PIECE;
  const [last, lastOther] = [before.length - 1, after.length - 1];
  while (same < most && before.charCodeAt(last - same) === after.charCodeAt(lastOther - same)) same += 1;
  const start = before.length - same;
  if (isLineStart(before, start) && isLineStart(after, after.length - same)) return same;
  return before.length - nextLine(before, start);
}

function pieceFromEnd(text: string, distance: number): string {
  return text.slice(text.length - distance - PIECE, text.length - distance);
}

const isLineStart = (text: string, at: number): boolean => at === 0 || text[at - 1] === "\n";

/** `starts` has one entry more than `texts`: the end of the last line. */
interface Lines {
  readonly texts: readonly string[];
  readonly starts: readonly number[];
}

function linesOf(text: string, from: number, to: number): Lines {
  const texts: string[] = [];
  const starts = [from];
  for (let at = from; at < to;) {
    const end = nextLine(text, at);
    texts.push(text.slice(at, end));
    starts.push(end);
    at = end;
  }
  return { texts, starts };
}

const startOf = ({ starts }: Lines, line: number): number => starts[line] ?? 0;

/** A line that the other text lacks can meet nothing: without them, two texts that share nothing cost nothing. */
function commonPairs(before: readonly string[], after: readonly string[], pairing: Pairing): readonly Pair[] {
  if (before.length + after.length > LIMITS.diffCompared) return [];
  const [left, right] = [sharedWith(before, after), sharedWith(after, before)];
  if (left.length === 0) return [];
  const numbers = new Map(left.map((line, index) => [before[line], index]));
  const idsOf = (lines: readonly string[], shared: readonly number[]) =>
    shared.map((line) => numbers.get(lines[line]) ?? 0);
  const pairs = pairing(idsOf(before, left), idsOf(after, right));
  return pairs.map(([line, other]) => [left[line] ?? 0, right[other] ?? 0]);
}

/** Indexes of the lines that the other text has too. */
function sharedWith(lines: readonly string[], others: readonly string[]): readonly number[] {
  const known = new Set(others);
  return [...lines.keys()].filter((line) => known.has(lines[line] ?? ""));
}

/** None when the lists are too unlike. Counted in steps: a limit on time would decide differently on each machine. */
function pairsDown(before: number[], after: number[], edits: number = LIMITS.diffEdits): readonly Pair[] {
  const maxEditLength = Math.ceil(Math.min(edits, LIMITS.diffSteps / (before.length + after.length)));
  const pairs: Pair[] = [];
  let [line, other] = [0, 0];
  for (const { added, removed, count } of diffArrays(before, after, { maxEditLength }) ?? []) {
    const kept = added || removed ? 0 : count;
    for (let step = 0; step < kept; step += 1) pairs.push([line + step, other + step]);
    if (!added) line += count;
    if (!removed) other += count;
  }
  return pairs;
}

function agreedPairs(before: number[], after: number[]): readonly Pair[] {
  const [last, lastOther] = [before.length - 1, after.length - 1];
  const up = pairsDown(before.toReversed(), after.toReversed(), LIMITS.mergeEdits);
  const partners = new Map(up.map(([line, other]) => [last - line, lastOther - other]));
  return pairsDown(before, after, LIMITS.mergeEdits).filter(([line, other]) => partners.get(line) === other);
}

/** A line added or removed beside its equal may be either of them, so the change takes both in. */
function widened(before: string, after: string, change: Change, least: number, most: number): CertainChange {
  const old = linesOf(before, change.from, change.to).texts;
  const own = linesOf(after, change.afterFrom, change.afterTo).texts;
  if (old.length === own.length && sharedWith(old, own).length === 0) return { ...change, inPlace: true };
  const lines = new Set([...old, ...own]);
  let { from, to } = change;
  while (from > least && lines.has(before.slice(previousLine(before, from), from))) from = previousLine(before, from);
  while (to < most && lines.has(before.slice(to, nextLine(before, to)))) to = nextLine(before, to);
  const [up, down] = [change.from - from, to - change.to];
  return { from, to, afterFrom: change.afterFrom - up, afterTo: change.afterTo + down, inPlace: false };
}
