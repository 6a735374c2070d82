import { partitionPoint } from "../base/binary-search.ts";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { SlicedWork } from "../base/time-slicing.ts";

/** A line of decoded text, its line break ("" if the last line has none), and its offset. */
export interface TextLine {
  readonly text: string;
  readonly ending: string;
  readonly start: number;
}

/** The byte-order mark as a decoder leaves it in the text. */
export const BOM = "\uFEFF";

/** Returns the offset of the content, which begins after a byte-order mark. */
export const contentStart = (text: string): number => (text.startsWith(BOM) ? 1 : 0);

/**
 * Returns the pattern of line breaks in this text. A lone carriage return counts only in files of the classic Mac OS,
 * which have no line feed at all; elsewhere it is an ordinary character.
 */
export function breaksOf(text: string): RegExp {
  return text.includes("\n") || !text.includes("\r") ? /\r?\n/g : /\r\n|\r|\n/g;
}

/**
 * Splits a text into lines, without the byte-order mark. An empty text has none, and a final line break starts no
 * further line. Throws a fault if there are more lines than fit in memory.
 */
export function* linesOf(text: string, breaks = breaksOf(text)): SlicedWork<TextLine[]> {
  const lines: TextLine[] = [];
  let start = contentStart(text);
  for (const { index, 0: ending } of text.matchAll(breaks)) {
    if (lines.length % LINES_PER_STEP === 0) yield;
    if (lines.length >= LIMITS.editLines) throw tooManyLines();
    lines.push({ text: text.slice(start, index), ending, start });
    start = index + ending.length;
  }
  if (start < text.length) lines.push({ text: text.slice(start), ending: "", start });
  return lines;
}

/** The number of lines to process between two yields. */
export const LINES_PER_STEP = 1024;

const tooManyLines = (): Fault =>
  new Fault("too_large", `Cannot compare it line by line: it has more than ${LIMITS.editLines} lines`, {
    hint: "Use edit with oldText exactly as the file has it, or split the file",
  });

/** Returns the end of a line, including its line break. */
export const endOf = ({ start, text, ending }: TextLine): number => start + text.length + ending.length;

/** Returns the number of the line that holds an offset, from 1, by binary search. */
export const lineNumberAt = (lines: readonly TextLine[], offset: number): number =>
  Math.max(
    1,
    partitionPoint(lines, ({ start }) => start <= offset),
  );

/**
 * Creates a function that returns the line break that a new line at an offset should get, without splitting the text.
 * Ascending offsets cost one pass over the text in total.
 */
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

/**
 * Returns the line break that a new line at this offset should get: that of the line there, or else of the line before.
 */
export function endingNear(lines: readonly TextLine[], offset: number): string {
  const at = lineNumberAt(lines, offset) - 1;
  return lines[at]?.ending || lines[at - 1]?.ending || "\n";
}

/** Shortens a line for a message. */
export function shortenLine(line: string, most: number = LIMITS.quotedLineChars): string {
  if (line.length <= most) return line;
  const cut = /[\uD800-\uDBFF]$/.test(line.slice(0, most)) ? most - 1 : most;
  return `${line.slice(0, cut)}… [${line.length - cut} more characters]`;
}

/** Lists the first few places as "line N: text" and the number of the others. */
export function placesIn(lines: readonly TextLine[], numbers: readonly number[]): string {
  const listed = numbers
    .slice(0, LIMITS.placesListed)
    .map((number) => `line ${number}: ${shortenLine(lines[number - 1]?.text ?? "")}`);
  const rest = numbers.length - listed.length;
  return [...listed, ...(rest > 0 ? [`[${rest} more places]`] : [])].join("\n");
}
