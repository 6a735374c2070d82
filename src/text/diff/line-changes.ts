import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import { type Pairing, shortestEdit, UNPAIRED } from "./shortest-edit.ts";
import { LINES_PER_STEP } from "../text-lines.ts";

/** A run of whole lines that was replaced by another. All four are offsets of line starts, or of the end. */
export interface LineChange {
  readonly from: number;
  readonly to: number;
  readonly afterFrom: number;
  readonly afterTo: number;
}

/** Compares two texts by lines. The changes are in order, with at least one kept line between two. Time is bounded. */
export function* lineChanges(before: string, after: string): SlicedWork<readonly LineChange[]> {
  return yield* changesBy((left, right) => pairedWithin(left, right, LIMITS.diffEdits), before, after);
}

/**
 * A change that includes ambiguous lines. `inPlace` is true if it has as many lines as before, all of them different.
 */
export interface CertainChange extends LineChange {
  readonly inPlace: boolean;
}

/**
 * Compares two texts for a merge. If several alignments are possible, a change spans all lines on which they differ: a
 * line is kept only if the comparisons from the top and from the bottom agree on it, and if it is not next to a change
 * that contains the same line.
 */
export function* certainChanges(before: string, after: string): SlicedWork<readonly CertainChange[]> {
  const changes = yield* changesBy(agreedPairs, before, after);
  const certain: CertainChange[] = [];
  for (const [index, change] of changes.entries()) {
    const next = changes[index + 1]?.from ?? before.length;
    certain.push(yield* widenChanges(before, after, change, certain.at(-1)?.to ?? 0, next));
  }
  return certain;
}

/** Counts the lines that begin in a range. A last line without a line feed counts. */
export function countLines(text: string, from = 0, to = text.length): number {
  return feedsIn(text, from, to) + openLines(text, from, to);
}

/** Counts lines like `countLines`, in slices. */
export function* countLinesInSteps(text: string, from: number, to: number): SlicedWork<number> {
  let lines = openLines(text, from, to);
  for (let at = from; at < to; at += SLICE_CHARS) {
    yield;
    lines += feedsIn(text, at, Math.min(to, at + SLICE_CHARS));
  }
  return lines;
}

/** The number of characters to process between two yields. */
const SLICE_CHARS = 1024 * 1024;

/** Counts the line feeds in a range. */
export function feedsIn(text: string, from: number, to: number): number {
  // A slice bounds the search: in the whole text, looking for the last line feed could run to the end of a very long
  // line.
  const slice = text.slice(from, to);
  let feeds = 0;
  for (let at = slice.indexOf("\n"); at >= 0; at = slice.indexOf("\n", at + 1)) feeds += 1;
  return feeds;
}

/** Returns 1 if the last line of a range has no line feed, and 0 otherwise. */
export const openLines = (text: string, from: number, to: number): number =>
  to > from && text[to - 1] !== "\n" ? 1 : 0;

/** Returns the start of the line after the one that holds `at`, or the end of the text. */
export function nextLine(text: string, at: number): number {
  return text.indexOf("\n", at) + 1 || text.length;
}

/** Returns the start of the line before the one that starts at `at`. */
export function previousLine(text: string, at: number): number {
  return at < 2 ? 0 : text.lastIndexOf("\n", at - 2) + 1;
}

/** Pairs equal lines of two texts. Each line is given by a number that equal lines share. */
type PairLines = (before: Int32Array, after: Int32Array) => SlicedWork<Pairing>;

function* changesBy(pairLines: PairLines, before: string, after: string): SlicedWork<readonly LineChange[]> {
  if (before === after) return [];
  const head = yield* commonHead(before, after);
  const tail = yield* commonTail(before, after, Math.min(before.length, after.length) - head);
  const left = yield* lineStarts(before, head, before.length - tail);
  const right = yield* lineStarts(after, head, after.length - tail);
  const pairing = yield* pairShared({ text: before, starts: left }, { text: after, starts: right }, pairLines);
  const changes: LineChange[] = [];
  let [line, other] = [0, 0];
  for (let kept = 0; kept <= pairing.length; kept++) {
    const otherKept = kept < pairing.length ? (pairing[kept] ?? UNPAIRED) : right.length - 1;
    if (otherKept === UNPAIRED) continue;
    if (kept > line || otherKept > other)
      changes.push({
        from: left[line] ?? 0,
        to: left[kept] ?? 0,
        afterFrom: right[other] ?? 0,
        afterTo: right[otherKept] ?? 0,
      });
    [line, other] = [kept + 1, otherKept + 1];
  }
  return changes;
}

/** Slices are compared in blocks of this size, which is much faster than character by character. */
const BLOCK_CHARS = 4096;

/** Returns the length of the common whole lines at the start of two different texts. */
function* commonHead(before: string, after: string): SlicedWork<number> {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before.slice(same, same + BLOCK_CHARS) === after.slice(same, same + BLOCK_CHARS)) {
    same += BLOCK_CHARS;
    if (same % SLICE_CHARS === 0) yield;
  }
  while (same < most && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  return same === 0 ? 0 : before.lastIndexOf("\n", same - 1) + 1;
}

/** Returns the length of the common whole lines at the end of both texts, at most `most`. */
function* commonTail(before: string, after: string, most: number): SlicedWork<number> {
  let same = 0;
  while (same + BLOCK_CHARS <= most && blockFromEnd(before, same) === blockFromEnd(after, same)) {
    same += BLOCK_CHARS;
    if (same % SLICE_CHARS === 0) yield;
  }
  const [last, lastOther] = [before.length - 1, after.length - 1];
  while (same < most && before.charCodeAt(last - same) === after.charCodeAt(lastOther - same)) same += 1;
  const start = before.length - same;
  if (isLineStart(before, start) && isLineStart(after, after.length - same)) return same;
  return before.length - nextLine(before, start);
}

function blockFromEnd(text: string, distance: number): string {
  return text.slice(text.length - distance - BLOCK_CHARS, text.length - distance);
}

const isLineStart = (text: string, at: number): boolean => at === 0 || text[at - 1] === "\n";

/** Returns the starts of the lines in a range, and the end of the last one. */
function* lineStarts(text: string, from: number, to: number): SlicedWork<readonly number[]> {
  const starts = [from];
  for (let at = from; at < to;) {
    at = nextLine(text, at);
    starts.push(at);
    if (starts.length % LINES_PER_STEP === 0) yield;
  }
  return starts;
}

interface Lines {
  readonly text: string;
  /** Has one more element than there are lines: the end of the last one. */
  readonly starts: readonly number[];
}

const countOf = ({ starts }: Lines): number => starts.length - 1;

const lineAt = ({ text, starts }: Lines, line: number): string => text.slice(starts[line], starts[line + 1]);

/** Pairs only lines that both texts have, so that texts without a common line cost nothing. */
function* pairShared(before: Lines, after: Lines, pairLines: PairLines): SlicedWork<Pairing> {
  const pairing = new Int32Array(countOf(before)).fill(UNPAIRED);
  if (countOf(before) + countOf(after) > LIMITS.diffCompared) return pairing;
  const numbers = new Map<string, number>();
  const [left, right] = [yield* numberLines(before, numbers), yield* numberLines(after, numbers)];
  const [shared, otherShared] = [sharedWith(left, right, numbers.size), sharedWith(right, left, numbers.size)];
  const found = yield* pairLines(
    shared.map((line) => left[line] ?? 0),
    otherShared.map((line) => right[line] ?? 0),
  );
  for (const [at, other] of found.entries())
    if (other !== UNPAIRED) pairing[shared[at] ?? 0] = otherShared[other] ?? UNPAIRED;
  return pairing;
}

/** Numbers the lines so that equal lines share a number. Afterwards only numbers are compared. */
function* numberLines(lines: Lines, numbers: Map<string, number>): SlicedWork<Int32Array> {
  const ids = new Int32Array(countOf(lines));
  for (let line = 0; line < ids.length; line++) {
    if (line % LINES_PER_STEP === 0) yield;
    const text = lineAt(lines, line);
    const id = numbers.get(text) ?? numbers.size;
    if (id === numbers.size) numbers.set(text, id);
    ids[line] = id;
  }
  return ids;
}

/** Returns the indexes of the lines that the other text has too. */
function sharedWith(lines: Int32Array, others: Int32Array, idCount: number): Int32Array {
  const known = new Uint8Array(idCount);
  for (const id of others) known[id] = 1;
  const shared = new Int32Array(lines.length);
  let count = 0;
  for (let line = 0; line < lines.length; line++) if (known[lines[line] ?? 0] === 1) shared[count++] = line;
  return shared.subarray(0, count);
}

/**
 * Pairs nothing if the lists differ too much. The limit counts steps, because a time limit would give different results
 * on different machines.
 */
function pairedWithin(before: Int32Array, after: Int32Array, edits: number): SlicedWork<Pairing> {
  return shortestEdit(before, after, Math.ceil(Math.min(edits, LIMITS.diffSteps / (before.length + after.length))));
}

function* agreedPairs(before: Int32Array, after: Int32Array): SlicedWork<Pairing> {
  const [last, lastOther] = [before.length - 1, after.length - 1];
  const up = yield* pairedWithin(before.toReversed(), after.toReversed(), LIMITS.mergeEdits);
  const down = yield* pairedWithin(before, after, LIMITS.mergeEdits);
  return down.map((other, line) => (up[last - line] === lastOther - other ? other : UNPAIRED));
}

/**
 * Widens a change over neighbouring equal lines, because a line added or removed beside its equal may be either of
 * them.
 */
function* widenChanges(
  before: string,
  after: string,
  change: LineChange,
  least: number,
  most: number,
): SlicedWork<CertainChange> {
  const old = { text: before, starts: yield* lineStarts(before, change.from, change.to) };
  const own = { text: after, starts: yield* lineStarts(after, change.afterFrom, change.afterTo) };
  const lines = new Map<string, number>();
  yield* numberLines(old, lines);
  const oldIdCount = lines.size;
  const ids = yield* numberLines(own, lines);
  if (countOf(old) === countOf(own) && ids.every((id) => id >= oldIdCount)) return { ...change, inPlace: true };
  let { from, to } = change;
  while (from > least && lines.has(before.slice(previousLine(before, from), from))) from = previousLine(before, from);
  while (to < most && lines.has(before.slice(to, nextLine(before, to)))) to = nextLine(before, to);
  const [up, down] = [change.from - from, to - change.to];
  return { from, to, afterFrom: change.afterFrom - up, afterTo: change.afterTo + down, inPlace: false };
}
