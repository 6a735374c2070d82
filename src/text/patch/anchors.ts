import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import type { SearchedText } from "../edit/tiers.ts";
import { indentOf } from "../edit/indent.ts";
import { LINE_KEYS } from "../edit/line-search.ts";
import { LINES_A_STEP, type TextLine } from "../text-lines.ts";

/**
 * Of the found places those that the anchors allow: inside what the last anchor opens, else anywhere behind it. Places
 * behind the hunk before win, because hunks come in order.
 */
export function* placesWithin<Place extends { readonly at: number }>(
  source: SearchedText,
  anchors: readonly string[],
  found: readonly Place[],
  end: number,
): SlicedWork<Place[]> {
  if (found.length === 0) return [];
  const ranges = yield* rangesOf(source, anchors);
  const first = ranges[0]?.from ?? Infinity;
  const inside = found.filter(({ at }) => ranges.some(({ from, to }) => at >= from && at < to));
  const behind = inside.length > 0 ? inside : found.filter(({ at }) => at >= first);
  const inOrder = behind.filter(({ at }) => at >= end);
  return inOrder.length > 0 ? inOrder : behind;
}

/** The lines right behind each line that the anchors name; those in order win. */
export function* placesBehind(source: SearchedText, anchors: readonly string[], end: number): SlicedWork<number[]> {
  const behind = (yield* rangesOf(source, anchors)).map(({ from }) => from + 1);
  const inOrder = behind.filter((at) => at >= end);
  return inOrder.length > 0 ? inOrder : behind;
}

/** The anchor that cannot be found, if any. */
export function* missingAnchor(source: SearchedText, anchors: readonly string[]): SlicedWork<string | undefined> {
  for (const [index, anchor] of anchors.entries()) {
    if ((yield* rangesOf(source, anchors.slice(0, index + 1))).length === 0) return anchor;
  }
  return undefined;
}

/** Lines from an anchor to the end of what it opens. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** In the order of the text. An anchor that is everywhere, such as "}", says nothing about what follows it. */
function* rangesOf(source: SearchedText, anchors: readonly string[]): SlicedWork<Range[]> {
  const all = yield* source.lines();
  let ranges: Range[] = [{ from: 0, to: all.length }];
  for (const anchor of anchors) {
    const first = ranges[0]?.from ?? Infinity;
    const lines = yield* anchorLines(source, anchor);
    const inside = lines.filter((at) => ranges.some(({ from, to }) => at >= from && at < to));
    const next = inside.length > 0 ? inside : lines.filter((at) => at >= first);
    const isTelling = next.length <= LIMITS.anchorLines;
    ranges = [];
    for (const from of isTelling ? next : next.slice(0, 1))
      ranges.push({ from, to: isTelling ? yield* scopeEnd(all, from) : all.length });
  }
  return ranges;
}

const KEYS = [LINE_KEYS.exact, LINE_KEYS.trailing, LINE_KEYS.trimmed, LINE_KEYS.trimmedLook];

/** Lines that are the anchor, else lines that begin with it: "def total" for "def total(items):". */
function* anchorLines(source: SearchedText, anchor: string): SlicedWork<number[]> {
  for (const keyOf of KEYS) {
    const found = yield* (yield* source.search(keyOf)).find([anchor]);
    if (found.length > 0) return found;
  }
  const start = anchor.trim();
  const found: number[] = [];
  for (const [at, { text }] of (yield* source.lines()).entries()) {
    if (at % LINES_A_STEP === 0) yield;
    if (text.trimStart().startsWith(start)) found.push(at);
  }
  return found;
}

/** A block ends where a line is indented no deeper than its first one; a brace or a bracket there still belongs to it. */
function* scopeEnd(lines: readonly TextLine[], at: number): SlicedWork<number> {
  const depth = depthOf(lines[at]?.text ?? "");
  for (let next = at + 1; next < lines.length; next++) {
    if (next % LINES_A_STEP === 0) yield;
    const text = lines[next]?.text ?? "";
    if (text.trim() !== "" && depthOf(text) <= depth && !/^\s*[{)\]]/.test(text)) return next;
  }
  return lines.length;
}

const depthOf = (line: string): number => indentOf(line).replaceAll("\t", "    ").length;
