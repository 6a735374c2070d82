import { Buffer } from "node:buffer";
import { Fault, isFault } from "../base/errors.ts";
import { codePointOf } from "./difference.ts";
import { decode, unitWidth, wholeCharacters } from "./encoding.ts";
import type { Splice } from "./splice.ts";
import { lineNumberAt, linesOf } from "./text-lines.ts";

/** Text in a legacy encoding of several bytes a character, or null when a character is not in it. */
export type Encoder = (text: string, label: string) => Uint8Array | null;

/**
 * The bytes with all splices made. `text` is what the bytes decode to. Every byte outside the splices is copied as it
 * is; a character that the encoding does not have is a Fault, never a substitute.
 */
export function spliceBytes(
  bytes: Uint8Array,
  label: string,
  text: string,
  splices: readonly Splice[],
  encode?: Encoder,
): Uint8Array {
  const encoded = encoderOf(label, encode);
  const offsetOf = offsetsIn(bytes, label, text);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const splice of splices) {
    const { start, end, text: fresh } = withoutSameEnds(text, splice);
    const piece = encoded(fresh) ?? refuse(text, start, fresh, label, encoded);
    pieces.push(bytes.subarray(from, offsetOf(start)), piece);
    from = offsetOf(end);
  }
  if (offsetOf(text.length) !== bytes.length) {
    throw new Fault("io", `Cannot edit: the text is not what the bytes mean in ${label}`, { encoding: label });
  }
  pieces.push(bytes.subarray(from));
  return Buffer.concat(pieces);
}

/** What both have in common at their ends is left alone: some encodings write one character in two ways. */
function withoutSameEnds(text: string, { start, end, text: fresh }: Splice): Omit<Splice, "tier"> {
  const most = Math.min(end - start, fresh.length);
  let head = 0;
  while (head < most && text[start + head] === fresh[head]) head++;
  if (isHighSurrogate(fresh[head - 1])) head--;
  let tail = 0;
  while (tail < most - head && text[end - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  if (isLowSurrogate(fresh[fresh.length - tail])) tail--;
  return { start: start + head, end: end - tail, text: fresh.slice(head, fresh.length - tail) };
}

const isHighSurrogate = (unit = ""): boolean => /^[\uD800-\uDBFF]$/.test(unit);
const isLowSurrogate = (unit = ""): boolean => /^[\uDC00-\uDFFF]$/.test(unit);

type OwnEncoder = (text: string) => Uint8Array | null;

function encoderOf(label: string, encode: Encoder | undefined): OwnEncoder {
  if (label === "utf-8") return wellFormed((text) => Buffer.from(text, "utf8"));
  if (label === "utf-16le") return wellFormed((text) => Buffer.from(text, "utf16le"));
  if (label === "utf-16be") return wellFormed((text) => Buffer.from(text, "utf16le").swap16());
  if (MULTI_BYTE.has(label)) return (text) => checked(text, label, encode?.(text, label) ?? null);
  const table = tableOf(label);
  return (text) => byTable(text, table);
}

const MULTI_BYTE: ReadonlySet<string> = new Set(["shift_jis", "euc-jp", "gb18030", "gbk", "big5", "euc-kr"]);

const LONE_SURROGATE = /\p{Cs}/u;

const wellFormed =
  (encode: (text: string) => Uint8Array): OwnEncoder =>
  (text) =>
    LONE_SURROGATE.test(text) ? null : encode(text);

/** An encoder may know one character more than the decoder, and the file could not be read again. */
function checked(text: string, label: string, encoded: Uint8Array | null): Uint8Array | null {
  if (text === "") return new Uint8Array();
  return encoded !== null && decoded(encoded, label) === text ? encoded : null;
}

function decoded(bytes: Uint8Array, label: string): string | null {
  try {
    return decode(bytes, label);
  } catch (error) {
    if (isFault(error) && error.code === "not_text") return null;
    throw error;
  }
}

/** The inverse of a single-byte encoding, from what each of the 256 bytes decodes to. */
function tableOf(label: string): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (let byte = 255; byte >= 0; byte--) {
    const character = decoded(Uint8Array.of(byte), label);
    if (character !== null) table.set(character, byte);
  }
  return table;
}

function byTable(text: string, table: ReadonlyMap<string, number>): Uint8Array | null {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const byte = table.get(text.charAt(at));
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  return bytes;
}

function refuse(text: string, start: number, fresh: string, label: string, encode: OwnEncoder): never {
  let before = 0;
  for (const character of fresh) {
    if (encode(character) === null) {
      const line = lineNumberAt(linesOf(text), start) + fresh.slice(0, before).split("\n").length - 1;
      const named = `"${character}" (${codePointOf(character)})`;
      throw new Fault("cannot_encode", `Cannot write ${named} in line ${line}: ${label} does not have it`, {
        character,
        line,
        encoding: label,
      });
    }
    before += character.length;
  }
  throw new Fault("cannot_encode", `Cannot write the new text: ${label} does not have it`, { encoding: label });
}

/** From offsets in the text to offsets in the bytes; asked in rising order, all of them together cost one pass. */
function offsetsIn(bytes: Uint8Array, label: string, text: string): (offset: number) => number {
  if (label !== "utf-8" && !MULTI_BYTE.has(label)) return (offset) => offset * unitWidth(label);
  const bytesIn = label === "utf-8" ? utf8BytesIn(text) : legacyBytesIn(bytes, label);
  let known = 0;
  let at = 0;
  return (offset) => {
    at += bytesIn(known, offset, at);
    known = offset;
    return at;
  };
}

/** How many bytes the text between two offsets takes, where the first stands at byte `at`. */
type BytesIn = (from: number, to: number, at: number) => number;

const utf8BytesIn =
  (text: string): BytesIn =>
  (from, to) =>
    Buffer.byteLength(text.slice(from, to), "utf8");

/** By decoding, not by encoding: what is written in two ways may differ in length. Halves the step at every miss. */
const legacyBytesIn =
  (bytes: Uint8Array, label: string): BytesIn =>
  (from, to, at) => {
    let left = to - from;
    let taken = 0;
    for (let step = STEP; left > 0 && step >= 1;) {
      const rest = bytes.subarray(at + taken, at + taken + step);
      const piece = rest.subarray(0, wholeCharacters(rest, label));
      const { length } = decode(piece, label);
      if (length > left || piece.length === 0) {
        step = step > 8 ? step >>> 1 : step - 1;
        continue;
      }
      taken += piece.length;
      left -= length;
    }
    return taken;
  };

const STEP = 64 * 1024;
