import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { OpenFile } from "../../storage/storage.ts";
import { detectEncoding, type Encoding, quickEncoding } from "../../text/encoding/detect.ts";
import { decode, wholeCharacters } from "../../text/encoding/encoding.ts";
import { lineEnd, type LineFeed, lineFeedOf, lineStart } from "../../text/line-feeds.ts";
import { charactersIn, hitOf } from "./hit.ts";
import { chunksOf, sourceOfFile } from "../read/scan.ts";
import type { FileHits, Hit, Query, ReportHits, Unsearched } from "./search.ts";
import type { View } from "../view.ts";

/** Describes how a search decodes the bytes of a file. */
export interface FileKind extends Encoding {
  readonly isBinary: boolean;
}

/**
 * Detects the encoding of a file from its first bytes. A binary file is searched as if it were UTF-8, and its lines are
 * not shown.
 */
export async function fileKindOf(head: Buffer, isComplete: boolean): Promise<FileKind> {
  const quick = quickEncoding(head, isComplete);
  const found = quick === undefined ? await detectEncoding(head, isComplete) : quick;
  return found ? { label: found.label, bomBytes: found.bomBytes, isBinary: false } : BINARY;
}

const BINARY: FileKind = { label: "utf-8", bomBytes: 0, isBinary: true };

/** Decodes bytes for searching; falls back to Latin-1, because invalid bytes must not end the search. */
export function decodeForSearch(bytes: Buffer, label: string): string {
  if (label === "utf-8") return bytes.toString("utf8");
  try {
    return decode(bytes, label);
  } catch (error) {
    if (!isFault(error)) throw error;
    return bytes.toString("latin1");
  }
}

/**
 * Reports all matches in one open file in order, in batches, so that memory does not grow with the file. Returns false
 * when the caller has enough. Leaves out the rest of the file when the time is up.
 */
export async function searchFile(
  file: OpenFile,
  query: Query,
  view: View,
  report: ReportHits,
  endsAt = Infinity,
): Promise<boolean> {
  const { facts } = file;
  if (facts.size === 0) return true;
  const head = await sourceOfFile(file).part(0, LIMITS.sniffBytes);
  const fileKind = await fileKindOf(head, head.length >= facts.size);
  const batches = query.isMultiline
    ? acrossLines(file, fileKind, query, view)
    : byLine(file, fileKind, query, view, endsAt);
  for await (const batch of batches) {
    const goesOn = report("unsearched" in batch ? batch : fileHitsOf(file, fileKind, batch, query));
    if (!goesOn) return false;
    if (query.onlyFirst) break;
  }
  return true;
}

/** Returns the reason reported for the place at which a search hit its time limit. */
export const timeoutReason = ({ ms }: Query): string =>
  `the search stopped here after ${ms / 1000} s; search a narrower path or pass a glob`;

const fileHitsOf = (
  { facts }: OpenFile,
  { isBinary }: FileKind,
  { count, hits }: Batch,
  { onlyFirst }: Query,
): FileHits => ({
  place: facts.path,
  modifiedMs: facts.modifiedMs,
  isBinary,
  count: onlyFirst ? 1 : count,
  hits: isBinary ? [] : onlyFirst ? hits.slice(0, 1) : hits,
});

interface Batch {
  readonly count: number;
  readonly hits: readonly Hit[];
}

/** Holds the position of a search by line. */
interface Progress {
  line: number;
  byte: number;
  /** Is true if the line that continues here has been reported already. */
  isReported: boolean;
  /** The offset at which that line starts; `charsBefore` counts its characters that are already behind us. */
  lineByte: number;
  charsBefore: number;
}

async function* byLine(
  file: OpenFile,
  fileKind: FileKind,
  query: Query,
  view: View,
  endsAt: number,
): AsyncGenerator<Batch | Unsearched> {
  const feed = lineFeedOf(fileKind.label);
  const { bomBytes } = fileKind;
  const at: Progress = { line: 1, byte: bomBytes, isReported: false, lineByte: bomBytes, charsBefore: 0 };
  const scan = { source: sourceOfFile(file), checkpoint: view.checkpoint, progress: () => {} };
  let rest: Buffer = Buffer.alloc(0);
  for await (const { chunk } of chunksOf(scan, at.byte)) {
    if (performance.now() >= endsAt) return yield { place: file.facts.path, unsearched: timeoutReason(query) };
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = wholeLines(bytes, feed, fileKind.label);
    if (end > 0) yield* linesIn(bytes.subarray(0, end), feed, fileKind, query, at);
    rest = Buffer.from(bytes.subarray(end));
  }
  if (rest.length > 0) yield* linesIn(rest, feed, fileKind, query, at);
}

/** Returns the end of the last whole line; a line longer than the limit is cut between two characters. */
function wholeLines(bytes: Buffer, feed: LineFeed, label: string): number {
  const end = lineStart(bytes, bytes.length, feed);
  if (end > 0) return end;
  return bytes.length < LIMITS.searchedLineBytes ? 0 : wholeCharacters(bytes, label);
}

function* linesIn(bytes: Buffer, feed: LineFeed, fileKind: FileKind, query: Query, at: Progress): Generator<Batch> {
  // A pattern sees CRLF and LF as the same line break.
  const text = decodeForSearch(bytes, fileKind.label).replaceAll("\r\n", "\n");
  const isPossible = query.pattern.mayBeIn(text);
  const base = at.byte;
  let hits: Hit[] = [];
  let count = 0;
  let from = 0;
  for (let byte = 0; byte < bytes.length;) {
    const end = lineEnd(bytes, byte, feed);
    const feedAt = isPossible ? text.indexOf("\n", from) : -1;
    if (isPossible) {
      const line = lineOf(text, from, feedAt);
      const match = at.isReported ? null : query.pattern.mayBeIn(line) ? query.pattern.firstIn(line) : null;
      if (match) {
        count++;
        const { line: number, lineByte, charsBefore } = at;
        if (query.lineChars > 0) hits.push(hitOf(line, match, { line: number, byte: lineByte, charsBefore }, query));
        at.isReported = end < 0;
      }
    }
    if (end < 0) {
      // Without a line feed, the whole text belongs to one line: the last one, or one that was cut at the limit.
      at.charsBefore += charactersIn(text, text.length);
      break;
    }
    at.line++;
    at.isReported = false;
    at.lineByte = base + end;
    at.charsBefore = 0;
    byte = end;
    from = feedAt + 1;
    if (count < LIMITS.grepBatch) continue;
    yield { count, hits };
    [hits, count] = [[], 0];
  }
  at.byte = base + bytes.length;
  if (count > 0) yield { count, hits };
}

/** Returns one line without its LF or CRLF. */
function lineOf(text: string, from: number, feedAt: number): string {
  const end = feedAt < 0 ? text.length : feedAt;
  return text.slice(from, end > from && text[end - 1] === "\r" ? end - 1 : end);
}

async function* acrossLines(
  file: OpenFile,
  fileKind: FileKind,
  query: Query,
  view: View,
): AsyncGenerator<Batch | Unsearched> {
  const { pattern, lineChars } = query;
  const { size, path } = file.facts;
  if (size > LIMITS.multilineBytes) {
    yield {
      place: path,
      unsearched: `it is larger than ${LIMITS.multilineBytes} bytes, the limit for a search across lines`,
    };
    return;
  }
  const bytes = (await sourceOfFile(file).part(0, size)).subarray(fileKind.bomBytes);
  const text = decodeForSearch(bytes, fileKind.label);
  if (!pattern.mayBeIn(text)) return;
  const starts = createLineStarts(text, fileKind);
  let hits: Hit[] = [];
  let count = 0;
  for (let match = pattern.firstIn(text); match; match = pattern.firstIn(text, afterMatch(match))) {
    const pause = view.checkpoint();
    if (pause) await pause;
    const { line, start, byte } = starts(match.start);
    const feedAt = text.indexOf("\n", start);
    const shown = lineOf(text, start, feedAt);
    const within = { start: match.start - start, end: Math.min(match.end - start, shown.length), groups: match.groups };
    count++;
    if (lineChars > 0) hits.push(hitOf(shown, within, { line, byte }, query));
    if (afterMatch(match) > text.length) break;
    if (count < LIMITS.grepBatch) continue;
    yield { count, hits };
    [hits, count] = [[], 0];
  }
  if (count > 0) yield { count, hits };
}

/** Returns the offset to continue from; moves past an empty match, which would otherwise be found forever. */
const afterMatch = ({ start, end }: { start: number; end: number }): number => (end > start ? end : end + 1);

/** Returns a lookup from an offset to its line. Scans forward only, so offsets must not decrease. */
function createLineStarts(text: string, { label, bomBytes }: FileKind) {
  let [line, start, byte] = [1, 0, bomBytes];
  const widthOf = (part: string): number =>
    label === "utf-8" ? Buffer.byteLength(part) : label.startsWith("utf-16") ? part.length * 2 : part.length;
  return (offset: number) => {
    for (let feed = text.indexOf("\n", start); feed >= 0 && feed < offset; feed = text.indexOf("\n", start)) {
      byte += widthOf(text.slice(start, feed + 1));
      start = feed + 1;
      line++;
    }
    return { line, start, byte };
  };
}
