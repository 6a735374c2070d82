import { Buffer } from "node:buffer";
import { Fault } from "../base/errors.ts";
import { codePointOf } from "./difference.ts";
import { encode, firstUnencodable } from "./encode.ts";
import { decode, isMultiByte, unitWidth, wholeCharacters } from "./encoding.ts";
import type { Splice } from "./splice.ts";
import { lineNumberAt, linesOf } from "./text-lines.ts";

/**
 * The bytes with all splices made. `text` is what the bytes decode to. Every byte outside the splices is copied as it
 * is; a character that the encoding does not have is a Fault, never a substitute.
 */
export function spliceBytes(bytes: Uint8Array, label: string, text: string, splices: readonly Splice[]): Uint8Array {
  const offsetOf = offsetsIn(bytes, label, text);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const splice of splices) {
    const { start, end, text: fresh } = withoutSameEnds(text, splice);
    const piece = encode(fresh, label) ?? refuse(text, start, fresh, label);
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

function refuse(text: string, start: number, fresh: string, label: string): never {
  const odd = firstUnencodable(fresh, label);
  if (!odd)
    throw new Fault("cannot_encode", `Cannot write the new text: ${label} does not have it`, { encoding: label });
  const { character } = odd;
  const line = lineNumberAt(linesOf(text), start) + odd.line - 1;
  const named = `"${character}" (${codePointOf(character)})`;
  throw new Fault("cannot_encode", `Cannot write ${named} in line ${line}: ${label} does not have it`, {
    character,
    line,
    encoding: label,
  });
}

/** From offsets in the text to offsets in the bytes; asked in rising order, all of them together cost one pass. */
function offsetsIn(bytes: Uint8Array, label: string, text: string): (offset: number) => number {
  if (label !== "utf-8" && !isMultiByte(label)) return (offset) => offset * unitWidth(label);
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
