import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import type { SearchedText } from "../edit/match-tiers.ts";
import { indentOf } from "../edit/indent.ts";
import { LINE_KEYS } from "../edit/line-search.ts";
import { LINES_PER_STEP, type TextLine } from "../text-lines.ts";

/**
 * Filters places by the anchors: inside the block that the last anchor opens, or else anywhere after it. Places after
 * the previous hunk win, because hunks come in order.
 */
export function* placesWithin<Place extends { readonly at: number }>(
  source: SearchedText,
  anchors: readonly string[],
  found: readonly Place[],
  previousEnd: number,
): SlicedWork<Place[]> {
  if (found.length === 0) return [];
  const ranges = yield* rangesOf(source, anchors);
  const first = ranges[0]?.from ?? Infinity;
  const inside = found.filter(({ at }) => ranges.some(({ from, to }) => at >= from && at < to));
  const after = inside.length > 0 ? inside : found.filter(({ at }) => at >= first);
  const inOrder = after.filter(({ at }) => at >= previousEnd);
  return inOrder.length > 0 ? inOrder : after;
}

/** Returns the lines right after each match of the anchors. Lines after the previous hunk win. */
export function* placesBehind(
  source: SearchedText,
  anchors: readonly string[],
  previousEnd: number,
): SlicedWork<number[]> {
  const after = (yield* rangesOf(source, anchors)).map(({ from }) => from + 1);
  const inOrder = after.filter((at) => at >= previousEnd);
  return inOrder.length > 0 ? inOrder : after;
}

/** Returns the first anchor that is not in the file, or undefined. */
export function* missingAnchor(source: SearchedText, anchors: readonly string[]): SlicedWork<string | undefined> {
  for (const [index, anchor] of anchors.entries()) {
    if ((yield* rangesOf(source, anchors.slice(0, index + 1))).length === 0) return anchor;
  }
  return undefined;
}

/** The lines from an anchor to the previousEnd of the block that it opens. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the ranges of the last anchor in order. An anchor with many matches, such as "}", does not narrow what
 * follows it.
 */
function* rangesOf(source: SearchedText, anchors: readonly string[]): SlicedWork<Range[]> {
  const all = yield* source.lines();
  let ranges: Range[] = [{ from: 0, to: all.length }];
  for (const anchor of anchors) {
    const first = ranges[0]?.from ?? Infinity;
    const lines = yield* anchorLines(source, anchor);
    const inside = lines.filter((at) => ranges.some(({ from, to }) => at >= from && at < to));
    const next = inside.length > 0 ? inside : lines.filter((at) => at >= first);
    const isSelective = next.length <= LIMITS.anchorLines;
    ranges = [];
    for (const from of isSelective ? next : next.slice(0, 1))
      ranges.push({ from, to: isSelective ? yield* scopeEnd(all, from) : all.length });
  }
  return ranges;
}

const KEYS = [LINE_KEYS.exact, LINE_KEYS.trailing, LINE_KEYS.trimmed, LINE_KEYS.trimmedLook];

/**
 * Returns the lines that equal the anchor, or else those that begin with it, such as "def total(items):" for "def
 * total".
 */
function* anchorLines(source: SearchedText, anchor: string): SlicedWork<number[]> {
  for (const keyOf of KEYS) {
    const found = yield* (yield* source.search(keyOf)).find([anchor]);
    if (found.length > 0) return found;
  }
  const start = anchor.trim();
  const found: number[] = [];
  for (const [at, { text }] of (yield* source.lines()).entries()) {
    if (at % LINES_PER_STEP === 0) yield;
    if (text.trimStart().startsWith(start)) found.push(at);
  }
  return found;
}

/**
 * Returns the previousEnd of a block: the next line that is indented no deeper than its first line. A brace or bracket there
 * still belongs to the block.
 */
function* scopeEnd(lines: readonly TextLine[], at: number): SlicedWork<number> {
  const depth = depthOf(lines[at]?.text ?? "");
  for (let next = at + 1; next < lines.length; next++) {
    if (next % LINES_PER_STEP === 0) yield;
    const text = lines[next]?.text ?? "";
    if (text.trim() !== "" && depthOf(text) <= depth && !/^\s*[{)\]]/.test(text)) return next;
  }
  return lines.length;
}

const depthOf = (line: string): number => indentOf(line).replaceAll("\t", "    ").length;
