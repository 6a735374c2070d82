import { LIMITS } from "../../../base/limits.ts";
import type { OpenFile } from "../../../storage/storage.ts";
import { isWidened } from "../../../text/search/pattern-dialect.ts";
import { hitOf } from "../hit.ts";
import type { Claim, Claims } from "./output.ts";
import { fileKindOf, type FileKind, decodeForSearch } from "../search-file.ts";
import type { FileHits, Hit, Query } from "../search.ts";

/** Checks the claims about one file. Returns null if the file has to be searched again. */
export type Confirm = (file: OpenFile, claims: Claims) => Promise<FileHits | null>;

/**
 * Creates a check that compares ripgrep's claims with bytes read through our own handle. It returns null if any claim
 * is wrong, as in a file that changed, that is not the one ripgrep read, or that is in UTF-16.
 */
export function createConfirm(query: Query): Confirm {
  const isWide = isWidened(query.patternOptions.pattern);
  const headBuffer = Buffer.allocUnsafe(LIMITS.syncBytes);
  return async function confirm(file, { output, claims }) {
    const { facts } = file;
    const first = headBuffer.subarray(0, Math.min(facts.size, headBuffer.length));
    const head = first.subarray(0, await file.read(first, 0));
    const fileKind = await fileKindOf(head.subarray(0, LIMITS.sniffBytes), facts.size <= LIMITS.sniffBytes);
    if (fileKind.label.startsWith("utf-16")) return null;
    const hits: Hit[] = [];
    for (const claim of claims) {
      const byte = claim.byte + fileKind.bomBytes;
      const isTrue = await isLineOfFile(file, head, byte, output, claim);
      if (!isTrue && !isOmitted(output, claim)) return null;
      if (isTrue && query.lineChars === 0 && !isWide) continue;
      const hit = isTrue
        ? hitFrom(output, claim, byte, fileKind, query, isWide)
        : await longLine(file, claim.line, byte, fileKind, query);
      if (!isTrue && !hit) return null;
      if (hit) hits.push(hit);
    }
    const count = isWide ? hits.length : claims.length;
    return {
      place: facts.path,
      modifiedMs: facts.modifiedMs,
      isBinary: fileKind.isBinary,
      count,
      hits: fileKind.isBinary || query.lineChars === 0 ? [] : hits,
    };
  };
}

/** Returns true if the claimed text is a whole line of the file at this offset. */
async function isLineOfFile(
  file: OpenFile,
  head: Buffer,
  byte: number,
  output: Buffer,
  claim: Claim,
): Promise<boolean> {
  const from = Math.max(0, byte - 1);
  const end = byte + claim.to - claim.from + 1;
  if (end <= head.length || head.length >= file.facts.size) return isLineIn(head, from, byte, output, claim);
  return isLineIn(await readPart(file, from, end - from), 0, byte - from, output, claim);
}

function isLineIn(around: Buffer, before: number, start: number, output: Buffer, { from, to }: Claim): boolean {
  if (start > before && around[before] !== LF) return false;
  const end = start + to - from;
  if (end <= around.length) {
    const isEnded = end === around.length || around[end] === LF;
    return isEnded && isSame(around, start, end, output, from, to);
  }
  // Where a file does not end in a line feed, ripgrep prints a line break of its own.
  return output[to - 1] === CR && isSame(around, start, around.length, output, from, to - 1);
}

const isSame = (one: Buffer, start: number, end: number, other: Buffer, from: number, to: number): boolean =>
  start <= end && other.compare(one, start, end, from, to) === 0;

const [LF, CR] = [10, 13];

async function readPart(file: OpenFile, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, file.facts.size - from)));
  return bytes.subarray(0, await file.read(bytes, from));
}

/** Builds the hit. A pattern that was widened to cover every encoding is matched again in the file's encoding. */
function hitFrom(
  output: Buffer,
  { from, to, line, column }: Claim,
  byte: number,
  { label }: FileKind,
  query: Query,
  isWide: boolean,
): Hit | null {
  const end = to > from && output[to - 1] === CR ? to - 1 : to;
  const text = searchablePart(output, from, end, label);
  if (isWide) {
    const match = query.pattern.firstIn(text);
    return match && hitOf(text, match, { line, byte }, query);
  }
  const start = end - from === text.length ? column : searchablePart(output, from, from + column, label).length;
  return hitOf(text, { start, end: start }, { line, byte }, query);
}

const OMITTED = Buffer.from("[Omitted long ");

const isOmitted = (output: Buffer, { from, to }: Claim): boolean =>
  output.subarray(from, Math.min(to, from + OMITTED.length)).equals(OMITTED);

const searchablePart = (bytes: Buffer, from: number, to: number, label: string): string =>
  label === "utf-8" ? bytes.toString("utf8", from, to) : decodeForSearch(bytes.subarray(from, to), label);

/** Reads and matches a line for which ripgrep printed only its position, because the line is too long. */
async function longLine(
  file: OpenFile,
  line: number,
  byte: number,
  { label }: FileKind,
  query: Query,
): Promise<Hit | null> {
  const from = Math.max(0, byte - 1);
  for (let length = LIMITS.stepBytes; ; length *= 4) {
    const bytes = await readPart(file, from, length);
    if (byte > from && bytes[0] !== LF) return null;
    const end = bytes.indexOf(LF, byte - from);
    if (end < 0 && bytes.length === length && length < LIMITS.searchedLineBytes) continue;
    const whole = bytes.subarray(byte - from, end < 0 ? bytes.length : end);
    const text = decodeForSearch(whole.at(-1) === CR ? whole.subarray(0, -1) : whole, label);
    const match = query.pattern.firstIn(text);
    return match && hitOf(text, match, { line, byte }, query);
  }
}
