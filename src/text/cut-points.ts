import { shortened } from "./text-lines.ts";

/** A stretch of a text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Finds the stretches of a text that must not be cut apart. */
export type UncuttableRanges = (text: string) => readonly TextRange[];

/** Moves a cut out of the stretches it would go through: before the first of them, or behind the last. */
export function cutOutside(stretches: readonly TextRange[], at: number, side: "before" | "behind"): number {
  const through = stretches.find(({ start, end }) => start < at && at < end);
  return through ? cutOutside(stretches, side === "before" ? through.start : through.end, side) : at;
}

/** A line short enough to be shown, which cuts nothing apart. */
export const shortenedOutside = (line: string, uncut: UncuttableRanges, most: number): string =>
  line.length <= most ? line : shortened(line, cutOutside(uncut(line), most, "before"));
