import { partitionPoint } from "../base/binary-search.ts";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { SlicedWork } from "../base/time-slicing.ts";

/** A line of decoded text: what it says, how it ends ("" for a last line left open), and where it starts. */
export interface TextLine {
  readonly text: string;
  readonly ending: string;
  readonly start: number;
}

/** The byte-order mark, as a decoder leaves it in the text. */
export const BOM = "\uFEFF";

/** Where the content of a text begins: behind a byte-order mark, if there is one. */
export const contentStart = (text: string): number => (text.startsWith(BOM) ? 1 : 0);

/**
 * What ends a line in this text. A carriage return alone does only in a file of the old Macintosh, which has no line
 * feed at all; elsewhere it is a character like others.
 */
export function breaksOf(text: string): RegExp {
  return text.includes("\n") || !text.includes("\r") ? /\r?\n/g : /\r\n|\r|\n/g;
}

/**
 * All lines without the byte-order mark. An empty text has none, and a final line break begins no further line. A Fault
 * where they are more than can be held.
 */
export function* linesOf(text: string, breaks = breaksOf(text)): SlicedWork<TextLine[]> {
  const lines: TextLine[] = [];
  let start = contentStart(text);
  for (const { index, 0: ending } of text.matchAll(breaks)) {
    if (lines.length % LINES_A_STEP === 0) yield;
    if (lines.length >= LIMITS.editLines) throw tooManyLines();
    lines.push({ text: text.slice(start, index), ending, start });
    start = index + ending.length;
  }
  if (start < text.length) lines.push({ text: text.slice(start), ending: "", start });
  return lines;
}

/** How many lines are worked on between two pauses. */
export const LINES_A_STEP = 1024;

const tooManyLines = (): Fault =>
  new Fault("too_large", `Cannot compare it line by line: it has more than ${LIMITS.editLines} lines`, {
    hint: "Use edit with oldText exactly as the file has it, or split the file",
  });

/** Where a line ends, its line break included. */
export const endOf = ({ start, text, ending }: TextLine): number => start + text.length + ending.length;

/** Number of the line that holds an offset, from 1. */
export const lineNumberAt = (lines: readonly TextLine[], offset: number): number =>
  Math.max(
    1,
    partitionPoint(lines, ({ start }) => start <= offset),
  );

/** Asks the same of a text not yet cut into lines. Offsets in rising order cost one pass over the text in all. */
export function createEndingFinder(text: string, breaks: RegExp): (offset: number) => string {
  const feed = "\r".search(breaks) >= 0 ? "\r" : "\n";
  let known = { from: 0, to: -1, ending: "" };
  return (offset) => {
    if (offset >= known.from && offset <= known.to) return known.ending;
    const next = text.indexOf(feed, offset);
    const at = next < 0 ? text.lastIndexOf(feed) : next;
    const ending = at < 0 ? "\n" : text[at - 1] === "\r" && feed === "\n" ? "\r\n" : feed;
    known = { from: offset, to: next < 0 ? text.length : next, ending };
    return ending;
  };
}

/** The line break that a new line at this offset should get: that of the line there, else of the one before. */
export function endingNear(lines: readonly TextLine[], offset: number): string {
  const at = lineNumberAt(lines, offset) - 1;
  return lines[at]?.ending || lines[at - 1]?.ending || "\n";
}

/** A line short enough for a message. */
export function shortened(line: string, most: number = LIMITS.quotedLineChars): string {
  if (line.length <= most) return line;
  const cut = /[\uD800-\uDBFF]$/.test(line.slice(0, most)) ? most - 1 : most;
  return `${line.slice(0, cut)}… [${line.length - cut} more characters]`;
}

/** The first few of several places, one "line N: text" each, and how many more there are. */
export function placesIn(lines: readonly TextLine[], numbers: readonly number[]): string {
  const listed = numbers
    .slice(0, LIMITS.placesListed)
    .map((number) => `line ${number}: ${shortened(lines[number - 1]?.text ?? "")}`);
  const rest = numbers.length - listed.length;
  return [...listed, ...(rest > 0 ? [`[${rest} more places]`] : [])].join("\n");
}
