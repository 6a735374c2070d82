import { LIMITS } from "../base/limits.ts";
import type { OpenFile } from "../storage/storage.ts";
import { isWidened } from "../text/pattern-dialect.ts";
import { hitOf } from "./hit.ts";
import type { Claim } from "./ripgrep-output.ts";
import { natureOf, type Nature, searchable } from "./search-file.ts";
import type { FileHits, Hit, Query } from "./search.ts";

/** Confirms claims of one search, file after file. */
export type Confirm = (file: OpenFile, claims: readonly Claim[]) => Promise<FileHits | null>;

/**
 * Says what of the claims about a file is so, by what we read through our own hold of it; null when anything is not, as in
 * a file that changed, that is not the one ripgrep saw, or whose text is not in bytes as ripgrep counts them.
 */
export function createConfirm(query: Query): Confirm {
  const isWide = isWidened(query.sought.pattern);
  const scratch = Buffer.allocUnsafe(LIMITS.syncBytes);
  return async function confirm(file, claims) {
    const { facts } = file;
    const first = scratch.subarray(0, Math.min(facts.size, scratch.length));
    const reading = file.read(first, 0);
    const head = first.subarray(0, typeof reading === "number" ? reading : await reading);
    const seen = natureOf(head.subarray(0, LIMITS.sniffBytes), facts.size <= LIMITS.sniffBytes);
    const nature = seen instanceof Promise ? await seen : seen;
    if (nature.label.startsWith("utf-16")) return null;
    const hits: Hit[] = [];
    for (const claim of claims) {
      const byte = claim.byte + nature.bomBytes;
      const checked = isThere(file, head, byte, claim.bytes);
      const isSo = typeof checked === "boolean" ? checked : await checked;
      if (!isSo && !isOmitted(claim)) return null;
      if (isSo && query.lineChars === 0 && !isWide) continue;
      const hit = isSo
        ? hitFrom(claim, byte, nature, query, isWide)
        : await longLine(file, claim.line, byte, nature, query);
      if (!isSo && !hit) return null;
      if (hit) hits.push(hit);
    }
    const count = isWide ? hits.length : claims.length;
    return {
      place: facts.path,
      modifiedMs: facts.modifiedMs,
      isBinary: nature.isBinary,
      count,
      hits: nature.isBinary ? [] : hits,
    };
  };
}

/** Whether these bytes are a whole line of the file at this place. */
function isThere(file: OpenFile, head: Buffer, byte: number, bytes: Buffer): boolean | Promise<boolean> {
  const from = Math.max(0, byte - 1);
  const end = byte + bytes.length + 1;
  if (end <= head.length || head.length >= file.facts.size) return isLineIn(head, from, byte, bytes);
  return part(file, from, end - from).then((around) => isLineIn(around, 0, byte - from, bytes));
}

function isLineIn(around: Buffer, from: number, start: number, bytes: Buffer): boolean {
  if (start > from && around[from] !== LF) return false;
  const end = start + bytes.length;
  if (end > around.length) return isLastLine(around.subarray(start), bytes);
  const isEnded = end === around.length || around[end] === LF;
  return isEnded && bytes.compare(around, start, end) === 0;
}

const [LF, CR] = [10, 13];

/** Where a file does not end in a line feed, ripgrep prints a line break of its own. */
const isLastLine = (line: Buffer, bytes: Buffer): boolean => bytes.at(-1) === CR && bytes.subarray(0, -1).equals(line);

async function part(file: OpenFile, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, file.facts.size - from)));
  return bytes.subarray(0, await file.read(bytes, from));
}

/** What was looked for in every encoding at once is looked at again in the one the file has. */
function hitFrom(
  claim: Claim,
  byte: number,
  { label }: Nature,
  { pattern, lineChars }: Query,
  isWide: boolean,
): Hit | null {
  const { bytes, line, column } = claim;
  const whole = bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
  const text = searchable(whole, label);
  if (isWide) {
    const match = pattern.firstIn(text);
    return match && hitOf(text, match, { line, byte }, lineChars);
  }
  const start = whole.length === text.length ? column : searchable(whole.subarray(0, column), label).length;
  return hitOf(text, { start, end: start }, { line, byte }, lineChars);
}

const OMITTED = Buffer.from("[Omitted long ");

const isOmitted = ({ bytes }: Claim): boolean => bytes.subarray(0, OMITTED.length).equals(OMITTED);

/** A line that ripgrep only told the place of. */
async function longLine(
  file: OpenFile,
  line: number,
  byte: number,
  { label }: Nature,
  query: Query,
): Promise<Hit | null> {
  const from = Math.max(0, byte - 1);
  for (let length = LIMITS.stepBytes; ; length *= 4) {
    const bytes = await part(file, from, length);
    if (byte > from && bytes[0] !== LF) return null;
    const end = bytes.indexOf(LF, byte - from);
    if (end < 0 && bytes.length === length && length < LIMITS.searchedLineBytes) continue;
    const whole = bytes.subarray(byte - from, end < 0 ? bytes.length : end);
    const text = searchable(whole.at(-1) === CR ? whole.subarray(0, -1) : whole, label);
    const match = query.pattern.firstIn(text);
    return match && hitOf(text, match, { line, byte }, query.lineChars);
  }
}
