import { LIMITS } from "../../base/limits.ts";
import { wholeCharacters } from "../../text/encoding/encoding.ts";
import { lineEnd, type LineFeed, lineFeedOf } from "../../text/line-feeds.ts";
import { cutOutside, type UncuttableRanges } from "../../text/cut-points.ts";
import type { ByteSource } from "./scan.ts";

/** Limits what one page may hold. */
export interface Budget {
  readonly lines: number;
  readonly bytes: number;
  /** Ends the page before a longer line, or cuts it when it comes first. */
  readonly lineBytes: number;
}

/** A range of a file: whole lines, unless a single line is longer than a page. */
export interface Page {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly lineFeeds: number;
  /** Is true when the last line continues after the page, or ends with the file and without a line feed. */
  readonly endsInLine: boolean;
}

/** Reads whole lines from a position on, as many as fit the budget. */
export async function linesFrom(
  source: ByteSource,
  start: number,
  label: string,
  budget: Budget,
  uncut?: UncuttableRanges,
): Promise<Page> {
  const feed = lineFeedOf(label);
  let bytes: Buffer = NOTHING;
  let cut: Cut = { end: 0, lines: 0, full: false };
  while (!cut.full) {
    const more = await source.part(start + bytes.length, Math.min(LIMITS.stepBytes, budget.bytes - bytes.length));
    bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more]);
    cut = takeLines(bytes, cut, feed, budget);
    if (more.length === 0 || bytes.length >= Math.min(budget.bytes, source.size - start)) break;
  }
  const atEnd = start + bytes.length >= source.size;
  const page = pageOf(bytes, start, label, cut, budget, atEnd);
  return uncut && page.endsInLine && page.end < source.size ? withWholeEnd(source, page, uncut) : page;
}

/**
 * Moves the end of a page that was cut inside a line to where no secret is cut apart: back, or forward when the page
 * would be empty.
 */
async function withWholeEnd(source: ByteSource, page: Page, uncut: UncuttableRanges): Promise<Page> {
  const { start } = page;
  const before = await nearestCutPoint(source, page.end, uncut, "before");
  const end = before > start ? before : await nearestCutPoint(source, page.end, uncut, "behind");
  return end === page.end ? page : { ...page, bytes: await source.part(start, end - start), end };
}

/** Finds the nearest position on one side of a byte where no secret is cut apart. */
export async function nearestCutPoint(
  source: ByteSource,
  place: number,
  uncut: UncuttableRanges,
  side: "before" | "behind",
): Promise<number> {
  const from = Math.max(0, place - LIMITS.secretSpanBytes);
  const around = await source.part(from, place - from + LIMITS.secretSpanBytes);
  return from + cutOutside(uncut(around.toString("latin1")), place - from, side);
}

const NOTHING = Buffer.alloc(0);

interface Cut {
  readonly end: number;
  readonly lines: number;
  /** Is true when nothing after `end` belongs to the page. */
  readonly full: boolean;
}

function takeLines(bytes: Buffer, from: Cut, feed: LineFeed, budget: Budget): Cut {
  let { end, lines } = from;
  while (lines < budget.lines) {
    const next = lineEnd(bytes, end, feed);
    const length = (next < 0 ? bytes.length : next) - end;
    if (length > budget.lineBytes) return { end, lines, full: true };
    if (next < 0) return { end, lines, full: false };
    end = next;
    lines++;
  }
  return { end, lines, full: true };
}

function pageOf(bytes: Buffer, start: number, label: string, cut: Cut, budget: Budget, atEnd: boolean): Page {
  const page = (length: number, endsInLine: boolean): Page => ({
    bytes: bytes.subarray(0, length),
    start,
    end: start + length,
    lineFeeds: cut.lines,
    endsInLine,
  });
  if (atEnd && !cut.full) return page(bytes.length, bytes.length > cut.end);
  if (cut.end > 0) return page(cut.end, false);
  return page(wholeCharacters(bytes.subarray(0, Math.min(budget.lineBytes, budget.bytes)), label), true);
}

/** Reads a range that is counted in bytes, moved back to the start of a character and cut at the end of one. */
export async function bytesFrom(
  source: ByteSource,
  from: number,
  label: string | undefined,
  most: number,
): Promise<Page> {
  const start = label === undefined ? from : await characterStart(source, from, label);
  const bytes = await source.part(start, most);
  const length =
    label === undefined || start + bytes.length >= source.size ? bytes.length : wholeCharacters(bytes, label);
  // Less than one character was requested. Four bytes hold a whole one in every encoding, so this happens once.
  if (length === 0 && bytes.length === most && most < LONGEST_CHARACTER)
    return bytesFrom(source, start, label, LONGEST_CHARACTER);
  return { bytes: bytes.subarray(0, length), start, end: start + length, lineFeeds: 0, endsInLine: true };
}

const LONGEST_CHARACTER = 4;

/**
 * Finds the start of the character that a byte is part of. Legacy encodings cannot be read backwards: there the byte
 * stays as it is.
 */
async function characterStart(source: ByteSource, from: number, label: string): Promise<number> {
  const unit = label.startsWith("utf-16") ? 2 : 1;
  if (unit === 1 && label !== "utf-8") return from;
  const aligned = from - (from % unit);
  const first = Math.max(0, aligned - LONGEST_CHARACTER + unit);
  const bytes = await source.part(first, aligned - first + unit);
  let at = aligned - first;
  while (at > 0 && continuesCharacter(bytes, at, label)) at -= unit;
  return first + at;
}

/** Checks for a UTF-8 byte after the first, or for the second half of a UTF-16 pair. */
function continuesCharacter(bytes: Buffer, at: number, label: string): boolean {
  if (label === "utf-8") return ((bytes[at] ?? 0) & 0xc0) === 0x80;
  return ((bytes[label === "utf-16le" ? at + 1 : at] ?? 0) & 0xfc) === 0xdc;
}
