import { visible } from "../../../../text/quote.ts";
import type { DiffLine } from "../../contract.ts";

/** A part of a line, marked if it differs from the line on the other side. */
export interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Cuts a line at its marks and escapes what is invisible. Marks that overlap or leave the line are cut to fit. */
export function markedParts({ text, marks = [] }: DiffLine): readonly MarkedPart[] {
  const parts: MarkedPart[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    const [from, to] = [Math.min(Math.max(at, start), text.length), Math.min(end, text.length)];
    if (to <= from) continue;
    parts.push({ text: text.slice(at, from), isMarked: false }, { text: text.slice(from, to), isMarked: true });
    at = to;
  }
  parts.push({ text: text.slice(at), isMarked: false });
  return parts.filter((part) => part.text !== "").map((part) => ({ ...part, text: visible(part.text) }));
}
