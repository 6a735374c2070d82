import { LIMITS } from "../base/limits.ts";
import type { Source } from "./edit-tiers.ts";
import { indentOf } from "./indent.ts";
import { LINE_KEYS } from "./line-search.ts";

/**
 * Of the found places those that the anchors allow: inside what the last anchor opens, else anywhere behind it. Places
 * behind the hunk before win, because hunks come in order.
 */
export function placesWithin<Place extends { readonly at: number }>(
  source: Source,
  anchors: readonly string[],
  found: readonly Place[],
  end: number,
): Place[] {
  const ranges = rangesOf(source, anchors);
  const first = ranges[0]?.from ?? Infinity;
  const inside = found.filter(({ at }) => ranges.some(({ from, to }) => at >= from && at < to));
  const behind = inside.length > 0 ? inside : found.filter(({ at }) => at >= first);
  const inOrder = behind.filter(({ at }) => at >= end);
  return inOrder.length > 0 ? inOrder : behind;
}

/** The lines right behind each line that the anchors name; those in order win. */
export function placesBehind(source: Source, anchors: readonly string[], end: number): number[] {
  const behind = rangesOf(source, anchors).map(({ from }) => from + 1);
  const inOrder = behind.filter((at) => at >= end);
  return inOrder.length > 0 ? inOrder : behind;
}

/** The anchor that cannot be found, if any. */
export function missingAnchor(source: Source, anchors: readonly string[]): string | undefined {
  return anchors.find((_, index) => rangesOf(source, anchors.slice(0, index + 1)).length === 0);
}

/** Lines from an anchor to the end of what it opens. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** In the order of the text. An anchor that is everywhere, such as "}", says nothing about what follows it. */
function rangesOf(source: Source, anchors: readonly string[]): Range[] {
  let ranges: Range[] = [{ from: 0, to: source.lines().length }];
  for (const anchor of anchors) {
    const first = ranges[0]?.from ?? Infinity;
    const lines = anchorLines(source, anchor);
    const inside = lines.filter((at) => ranges.some(({ from, to }) => at >= from && at < to));
    const next = inside.length > 0 ? inside : lines.filter((at) => at >= first);
    const isTelling = next.length <= LIMITS.anchorLines;
    ranges = next.map((at) => ({ from: at, to: isTelling ? scopeEnd(source, at) : source.lines().length }));
    if (!isTelling) ranges.splice(1);
  }
  return ranges;
}

const KEYS = [LINE_KEYS.exact, LINE_KEYS.trailing, LINE_KEYS.trimmed, LINE_KEYS.trimmedLook];

/** Lines that are the anchor, else lines that begin with it: "def total" for "def total(items):". */
function anchorLines(source: Source, anchor: string): number[] {
  for (const keyOf of KEYS) {
    const found = source.search(keyOf).find([anchor]);
    if (found.length > 0) return found;
  }
  const start = anchor.trim();
  return source.lines().flatMap(({ text }, at) => (text.trimStart().startsWith(start) ? [at] : []));
}

/** A block ends where a line is indented no deeper than its first one; a brace or a bracket there still belongs to it. */
function scopeEnd(source: Source, at: number): number {
  const lines = source.lines();
  const depth = depthOf(lines[at]?.text ?? "");
  for (let next = at + 1; next < lines.length; next++) {
    const text = lines[next]?.text ?? "";
    if (text.trim() !== "" && depthOf(text) <= depth && !/^\s*[{)\]]/.test(text)) return next;
  }
  return lines.length;
}

const depthOf = (line: string): number => indentOf(line).replaceAll("\t", "    ").length;
