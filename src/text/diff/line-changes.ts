import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import { type Pairing, shortestEdit, UNPAIRED } from "./shortest-edit.ts";
import { LINES_A_STEP } from "../text-lines.ts";

/** A run of whole lines that became another. All four are offsets of line starts, or of the end. */
export interface LineChange {
  readonly from: number;
  readonly to: number;
  readonly afterFrom: number;
  readonly afterTo: number;
}

/** What turns one text into the other, in order, with a kept line between any two. Bounded in time. */
export function* lineChanges(before: string, after: string): SlicedWork<readonly LineChange[]> {
  return yield* changesBy((left, right) => pairedWithin(left, right, LIMITS.diffEdits), before, after);
}

/** A change that takes in its own doubt. `inPlace`: as many lines as before, and all of them other ones. */
export interface CertainChange extends LineChange {
  readonly inPlace: boolean;
}

/**
 * The same, but where the texts can be compared in several ways a change spans what they disagree on: a line is
 * kept only where reading from the top and from the bottom agree, and not beside a change that holds it too.
 */
export function* certainChanges(before: string, after: string): SlicedWork<readonly CertainChange[]> {
  const changes = yield* changesBy(agreedPairs, before, after);
  const certain: CertainChange[] = [];
  for (const [index, change] of changes.entries()) {
    const next = changes[index + 1]?.from ?? before.length;
    certain.push(yield* widened(before, after, change, certain.at(-1)?.to ?? 0, next));
  }
  return certain;
}

/** How many lines begin in a stretch of text; a last one without a line feed counts. */
export function countLines(text: string, from = 0, to = text.length): number {
  return feedsIn(text, from, to) + openLines(text, from, to);
}

/** The same for a stretch that may be long. */
export function* countLinesInSteps(text: string, from: number, to: number): SlicedWork<number> {
  let lines = openLines(text, from, to);
  for (let at = from; at < to; at += STRETCH) {
    yield;
    lines += feedsIn(text, at, Math.min(to, at + STRETCH));
  }
  return lines;
}

/** How many characters are looked at between two pauses. */
const STRETCH = 1024 * 1024;

/** Counts the line feeds in a stretch of text. */
export function feedsIn(text: string, from: number, to: number): number {
  // In the whole text, the search for the last line feed would go on to the end of a line of any length.
  const stretch = text.slice(from, to);
  let feeds = 0;
  for (let at = stretch.indexOf("\n"); at >= 0; at = stretch.indexOf("\n", at + 1)) feeds += 1;
  return feeds;
}

/** Returns 1 for a stretch whose last line has no line feed. */
export const openLines = (text: string, from: number, to: number): number =>
  to > from && text[to - 1] !== "\n" ? 1 : 0;

/** Where the line after the one that holds `at` starts, or the text ends. */
export function nextLine(text: string, at: number): number {
  return text.indexOf("\n", at) + 1 || text.length;
}

/** Where the line before the one that starts at `at` starts. */
export function previousLine(text: string, at: number): number {
  return at < 2 ? 0 : text.lastIndexOf("\n", at - 2) + 1;
}

/** Pairs equal lines of two texts, each given by a number that equal lines share. */
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

/** Compared in pieces: two slices meet at the speed of memory, two characters do not. */
const PIECE = 4096;

/** Length of the whole lines that two different texts both start with. */
function* commonHead(before: string, after: string): SlicedWork<number> {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before.slice(same, same + PIECE) === after.slice(same, same + PIECE)) {
    same += PIECE;
    if (same % STRETCH === 0) yield;
  }
  while (same < most && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  return same === 0 ? 0 : before.lastIndexOf("\n", same - 1) + 1;
}

/** Length of the whole lines that both texts end with, at most `most`. */
function* commonTail(before: string, after: string, most: number): SlicedWork<number> {
  let same = 0;
  while (same + PIECE <= most && pieceFromEnd(before, same) === pieceFromEnd(after, same)) {
    same += PIECE;
    if (same % STRETCH === 0) yield;
  }
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

/** Where the lines of a stretch start, and where the last of them ends. */
function* lineStarts(text: string, from: number, to: number): SlicedWork<readonly number[]> {
  const starts = [from];
  for (let at = from; at < to;) {
    at = nextLine(text, at);
    starts.push(at);
    if (starts.length % LINES_A_STEP === 0) yield;
  }
  return starts;
}

interface Lines {
  readonly text: string;
  /** One more than there are lines: the end of the last one. */
  readonly starts: readonly number[];
}

const countOf = ({ starts }: Lines): number => starts.length - 1;

const lineAt = ({ text, starts }: Lines, line: number): string => text.slice(starts[line], starts[line + 1]);

/** A line that the other text lacks can meet nothing: without them, two texts that share nothing cost nothing. */
function* pairShared(before: Lines, after: Lines, pairLines: PairLines): SlicedWork<Pairing> {
  const pairing = new Int32Array(countOf(before)).fill(UNPAIRED);
  if (countOf(before) + countOf(after) > LIMITS.diffCompared) return pairing;
  const numbers = new Map<string, number>();
  const [left, right] = [yield* numbered(before, numbers), yield* numbered(after, numbers)];
  const [shared, otherShared] = [sharedWith(left, right, numbers.size), sharedWith(right, left, numbers.size)];
  const found = yield* pairLines(
    shared.map((line) => left[line] ?? 0),
    otherShared.map((line) => right[line] ?? 0),
  );
  for (const [at, other] of found.entries())
    if (other !== UNPAIRED) pairing[shared[at] ?? 0] = otherShared[other] ?? UNPAIRED;
  return pairing;
}

/** Gives every line a number, and equal lines the same: they are compared once, and never again as texts. */
function* numbered(lines: Lines, numbers: Map<string, number>): SlicedWork<Int32Array> {
  const ids = new Int32Array(countOf(lines));
  for (let line = 0; line < ids.length; line++) {
    if (line % LINES_A_STEP === 0) yield;
    const text = lineAt(lines, line);
    const id = numbers.get(text) ?? numbers.size;
    if (id === numbers.size) numbers.set(text, id);
    ids[line] = id;
  }
  return ids;
}

/** Indexes of the lines that the other text has too. */
function sharedWith(lines: Int32Array, others: Int32Array, kinds: number): Int32Array {
  const known = new Uint8Array(kinds);
  for (const id of others) known[id] = 1;
  const shared = new Int32Array(lines.length);
  let count = 0;
  for (let line = 0; line < lines.length; line++) if (known[lines[line] ?? 0] === 1) shared[count++] = line;
  return shared.subarray(0, count);
}

/** Pairs nothing when the lists are too unlike. Counted in steps: a limit on time would decide differently everywhere. */
function pairedWithin(before: Int32Array, after: Int32Array, edits: number): SlicedWork<Pairing> {
  return shortestEdit(before, after, Math.ceil(Math.min(edits, LIMITS.diffSteps / (before.length + after.length))));
}

function* agreedPairs(before: Int32Array, after: Int32Array): SlicedWork<Pairing> {
  const [last, lastOther] = [before.length - 1, after.length - 1];
  const up = yield* pairedWithin(before.toReversed(), after.toReversed(), LIMITS.mergeEdits);
  const down = yield* pairedWithin(before, after, LIMITS.mergeEdits);
  return down.map((other, line) => (up[last - line] === lastOther - other ? other : UNPAIRED));
}

/** A line added or removed beside its equal may be either of them, so the change takes both in. */
function* widened(
  before: string,
  after: string,
  change: LineChange,
  least: number,
  most: number,
): SlicedWork<CertainChange> {
  const old = { text: before, starts: yield* lineStarts(before, change.from, change.to) };
  const own = { text: after, starts: yield* lineStarts(after, change.afterFrom, change.afterTo) };
  const lines = new Map<string, number>();
  yield* numbered(old, lines);
  const oldKinds = lines.size;
  const ids = yield* numbered(own, lines);
  if (countOf(old) === countOf(own) && ids.every((id) => id >= oldKinds)) return { ...change, inPlace: true };
  let { from, to } = change;
  while (from > least && lines.has(before.slice(previousLine(before, from), from))) from = previousLine(before, from);
  while (to < most && lines.has(before.slice(to, nextLine(before, to)))) to = nextLine(before, to);
  const [up, down] = [change.from - from, to - change.to];
  return { from, to, afterFrom: change.afterFrom - up, afterTo: change.afterTo + down, inPlace: false };
}
