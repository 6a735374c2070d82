import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import {
  type LineChange,
  countLines,
  countLinesInSteps,
  feedsIn,
  lineChanges,
  nextLine,
  openLines,
  previousLine,
} from "../diff/line-changes.ts";
import { type CountedChange, diffOf, type DiffOptions, type UnifiedDiff, unifiedDiff } from "../diff/diff.ts";
import { applySplices, type Splice } from "./splice.ts";

/**
 * Creates the diff for splices. For a few splices it equals the diff of the whole texts, although only their
 * surroundings are compared; for many it shows all touched lines, and nothing is compared.
 */
export function* spliceDiff(text: string, splices: readonly Splice[], options: DiffOptions): SlicedWork<UnifiedDiff> {
  const [from, to] = rangeAround(text, splices);
  if (splices.length > LIMITS.diffPlaces || to - from > LIMITS.comparedBytes)
    return yield* touchedDiff(text, splices, options);
  const before = text.slice(from, to);
  const after = applySplices(
    before,
    splices.map(({ start, end, text: fresh, tier }) => ({ start: start - from, end: end - from, text: fresh, tier })),
  );
  const changes = yield* lineChanges(before, after);
  const isCovered = to === text.length || (changes.at(-1)?.to ?? to) < marginOf(before);
  if (!isCovered) return yield* unifiedDiff(text, applySplices(text, splices), options);
  return yield* diffOf(before, after, changes, { ...options, linesBefore: yield* countLinesInSteps(text, 0, from) });
}

/** More lines than the context of a diff. */
const MARGIN = 8;

function rangeAround(text: string, splices: readonly Splice[]): readonly [from: number, to: number] {
  let from = splices[0]?.start ?? 0;
  let to = splices.at(-1)?.end ?? text.length;
  for (let line = 0; line <= MARGIN; line++) [from, to] = [previousLine(text, from), nextLine(text, to)];
  return [from, to];
}

/**
 * Returns the offset up to which a comparison of the window is reliable. A change among equal lines is reported at the
 * last of them, which may lie beyond the window; then the whole texts are compared.
 */
function marginOf(before: string): number {
  let at = before.length;
  for (let line = 0; line < MARGIN / 2; line++) at = previousLine(before, at);
  return at;
}

/** Creates a diff of all lines that the splices touch, in time linear in the text. */
export function* touchedDiff(text: string, splices: readonly Splice[], options: DiffOptions): SlicedWork<UnifiedDiff> {
  const after = applySplices(text, splices);
  const touched = yield* touchedLines(text, splices);
  const changes: CountedChange[] = [];
  for (const { from, to, afterFrom, afterTo, feeds } of touched) {
    yield;
    const removed = countLines(text, from, to);
    const [wasOpen, isOpen] = [openLines(text, from, to), openLines(after, afterFrom, afterTo)];
    changes.push({ from, to, afterFrom, afterTo, removed, added: removed - wasOpen + feeds + isOpen });
  }
  return yield* diffOf(text, after, changes, options);
}

/** Whole lines that splices touch, and the number of line feeds they gain. */
interface Touched extends LineChange {
  readonly feeds: number;
}

function* touchedLines(text: string, splices: readonly Splice[]): SlicedWork<Touched[]> {
  const touched: Touched[] = [];
  const lineAt = createLineFinder(text);
  let grown = 0;
  let last = { fresh: "", feeds: 0 };
  for (const { start, end, text: fresh } of splices) {
    yield;
    if (fresh !== last.fresh) last = { fresh, feeds: feedsIn(fresh, 0, fresh.length) };
    const before = touched.at(-1);
    const [from, to] = linesAround(text, lineAt, { start, end, text: fresh }, before?.to ?? 0);
    const growth = fresh.length - (end - start);
    const feeds = last.feeds - feedsIn(text, start, end);
    const isJoined = before !== undefined && from <= before.to;
    const whole = { to: Math.max(to, isJoined ? before.to : 0) };
    if (isJoined) touched.pop();
    touched.push({
      from: isJoined ? before.from : from,
      ...whole,
      afterFrom: isJoined ? before.afterFrom : from + grown,
      afterTo: whole.to + grown + growth,
      feeds: feeds + (isJoined ? before.feeds : 0),
    });
    grown += growth;
  }
  return touched;
}

/** Returns the start of the line that holds an offset, and of the next line. */
type LineFinder = (at: number) => readonly [from: number, to: number];

/** Caches the last line, so that ascending offsets cost one pass in total, however many lie in one line. */
function createLineFinder(text: string): LineFinder {
  let line: readonly [from: number, to: number] = [0, 0];
  return (at) => {
    const [from, to] = line;
    if (at < from || at >= to) line = [at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1, nextLine(text, at)];
    return line;
  };
}

/**
 * Returns the whole lines around a splice. A splice that ends with its line ends there if its new text does too. Lines
 * before `touched` belong to earlier splices: the rest of their first line is joined with the line after a deletion.
 */
function linesAround(
  text: string,
  lineAt: LineFinder,
  { start, end, text: fresh }: Omit<Splice, "tier">,
  touched: number,
): readonly [from: number, to: number] {
  const [from] = lineAt(start);
  const isAtLine = end === 0 || text[end - 1] === "\n";
  const isWhole = isAtLine && (fresh === "" ? start === from && touched <= from : fresh.endsWith("\n"));
  return [from, isWhole ? end : lineAt(end)[1]];
}
