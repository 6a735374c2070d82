import { Buffer } from "node:buffer";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import { codePointOf } from "./line-difference.ts";
import { encode, firstUnencodable } from "../encoding/encode.ts";
import { decode, isMultiByte, unitWidth, wholeCharacters } from "../encoding/encoding.ts";
import { tooMuch } from "./size-budget.ts";
import type { Splice } from "./splice.ts";
import { lineNumberAt, linesOf } from "../text-lines.ts";

/**
 * Applies all splices to the bytes. `text` is what the bytes decode to. Every byte outside the splices is copied
 * unchanged; a character that the encoding lacks is a fault and is never substituted.
 */
export function* spliceBytes(
  bytes: Uint8Array,
  label: string,
  text: string,
  splices: readonly Splice[],
): SlicedWork<Uint8Array> {
  const offsetOf = offsetsIn(bytes, label, text);
  const pieces: Uint8Array[] = [];
  let from = 0;
  let size = bytes.length;
  let last: { readonly fresh: string; readonly piece: Uint8Array } = { fresh: "", piece: new Uint8Array() };
  for (const splice of splices) {
    yield;
    const { start, end, text: fresh } = withoutSameEnds(text, splice);
    if (fresh !== last.fresh)
      last = { fresh, piece: encode(fresh, label) ?? (yield* throwUnencodable(text, start, fresh, label)) };
    const kept = bytes.subarray(from, offsetOf(start));
    pieces.push(kept, last.piece);
    size += last.piece.length + from + kept.length - (from = offsetOf(end));
    if (size > LIMITS.editBytes && size > bytes.length) throw tooMuch(`more than ${LIMITS.editBytes} bytes`);
  }
  if (offsetOf(text.length) !== bytes.length) {
    throw new Fault("io", `Cannot edit: the text is not what the bytes mean in ${label}`, { encoding: label });
  }
  pieces.push(bytes.subarray(from));
  return Buffer.concat(pieces);
}

/**
 * Shrinks a splice by the common start and end of both texts, because some encodings have two byte sequences for one
 * character.
 */
function withoutSameEnds(text: string, { start, end, text: fresh }: Splice): Omit<Splice, "tier"> {
  const most = Math.min(end - start, fresh.length);
  let head = 0;
  while (head < most && text.charCodeAt(start + head) === fresh.charCodeAt(head)) head++;
  if (isHighSurrogate(fresh[head - 1])) head--;
  let tail = 0;
  while (tail < most - head && text.charCodeAt(end - 1 - tail) === fresh.charCodeAt(fresh.length - 1 - tail)) tail++;
  if (isLowSurrogate(fresh[fresh.length - tail])) tail--;
  return { start: start + head, end: end - tail, text: fresh.slice(head, fresh.length - tail) };
}

const isHighSurrogate = (unit = ""): boolean => /^[\uD800-\uDBFF]$/.test(unit);
const isLowSurrogate = (unit = ""): boolean => /^[\uDC00-\uDFFF]$/.test(unit);

function* throwUnencodable(text: string, start: number, fresh: string, label: string): SlicedWork<never> {
  const odd = firstUnencodable(fresh, label);
  if (!odd)
    throw new Fault("cannot_encode", `Cannot write the new text: ${label} does not have it`, { encoding: label });
  const { character } = odd;
  const line = lineNumberAt(yield* linesOf(text), start) + odd.line - 1;
  const named = `"${character}" (${codePointOf(character)})`;
  throw new Fault("cannot_encode", `Cannot write ${named} in line ${line}: ${label} does not have it`, {
    character,
    line,
    encoding: label,
  });
}

/** Maps offsets in the text to offsets in the bytes. Ascending offsets cost one pass in total. */
function offsetsIn(bytes: Uint8Array, label: string, text: string): (offset: number) => number {
  if (label !== "utf-8" && !isMultiByte(label)) return (offset) => offset * unitWidth(label);
  const bytesIn = label === "utf-8" ? utf8BytesIn(text) : legacyBytesIn(bytes, label);
  let lastOffset = 0;
  let at = 0;
  return (offset) => {
    at += bytesIn(lastOffset, offset, at);
    lastOffset = offset;
    return at;
  };
}

/** Returns the number of bytes between two offsets of the text, where the first is at byte `at`. */
type BytesIn = (from: number, to: number, at: number) => number;

const utf8BytesIn =
  (text: string): BytesIn =>
  (from, to) =>
    Buffer.byteLength(text.slice(from, to), "utf8");

/**
 * Counts by decoding, not by encoding, because two sequences for one character may differ in length. Halves the step
 * after every overshoot.
 */
const legacyBytesIn =
  (bytes: Uint8Array, label: string): BytesIn =>
  (from, to, at) => {
    let left = to - from;
    let taken = 0;
    // A character has at most four bytes. Decoding much more than needed for a few would take quadratic time.
    for (let step = Math.min(STEP, left * 4); left > 0 && step >= 1;) {
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
