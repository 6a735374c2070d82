import { shortenLine } from "./text-lines.ts";

/** A range of a text, as offsets in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Finds the ranges of a text that must not be split. */
export type UncuttableRanges = (text: string) => readonly TextRange[];

/** Moves a cut out of the ranges that it would split: before the first of them, or behind the last. */
export function cutOutside(ranges: readonly TextRange[], at: number, side: "before" | "behind"): number {
  const split = ranges.find(({ start, end }) => start < at && at < end);
  return split ? cutOutside(ranges, side === "before" ? split.start : split.end, side) : at;
}

/** Shortens a line for display without splitting any of these ranges. */
export const shortenedOutside = (line: string, uncut: UncuttableRanges, most: number): string =>
  line.length <= most ? line : shortenLine(line, cutOutside(uncut(line), most, "before"));
