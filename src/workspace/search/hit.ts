import type { Match } from "../../text/search/pattern.ts";
import { cutOutside } from "../../text/cut-points.ts";
import type { Hit, Query } from "./search.ts";

/** Builds a hit; cuts a long line around the match. `charsBefore` counts the characters of the line before `text`. */
export function hitOf(
  text: string,
  { start, end }: Pick<Match, "start" | "end">,
  { line, byte, charsBefore = 0 }: Pick<Hit, "line" | "byte"> & { readonly charsBefore?: number },
  { lineChars: maxChars, uncuttableRanges }: Pick<Query, "lineChars" | "uncuttableRanges">,
): Hit {
  const column = charsBefore + charactersIn(text, start) + 1;
  if (text.length <= maxChars) return { line, column, byte, text, start, end: Math.max(start, end) };
  const whole = uncuttableRanges?.(text) ?? [];
  const first = Math.max(0, Math.min(start - Math.floor(maxChars / 4), text.length - maxChars));
  const begin = first > 0 && isSecondHalf(text, first) ? first - 1 : first;
  const last = isSecondHalf(text, begin + maxChars) ? begin + maxChars - 1 : begin + maxChars;
  const [from, to] = [cutOutside(whole, begin, "before"), cutOutside(whole, last, "behind")];
  const lead = from > 0 ? CUT : "";
  const shown = `${lead}${text.slice(from, to)}${to < text.length ? CUT : ""}`;
  const shift = lead.length - from;
  return { line, column, byte, text: shown, start: start + shift, end: Math.min(end, to) + shift };
}

const CUT = "…";

const isSecondHalf = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** Counts the characters before an offset; a surrogate pair is one. */
export function charactersIn(text: string, end: number): number {
  let count = end;
  for (let at = 0; at < end; at++) if (isSecondHalf(text, at)) count--;
  return count;
}
