import { Buffer, isAscii, isUtf8, transcode } from "node:buffer";
import { LIMITS } from "../../base/limits.ts";
import { hasPlaceholder, type PlaceholderInBytes, placeholdersInBytes } from "../secrets/placeholder.ts";

/** The UTF-8 bytes of a text, one character per byte. Written as Latin-1, it yields the text in UTF-8. */
export type ByteString = string & { readonly byteString: unique symbol };

/** The bytes that a non-ASCII text was read from, and the placeholders in it. */
export interface Original {
  readonly bytes: ByteString;
  readonly placeholders: readonly string[];
  /** Is computed on first use. */
  json?: ByteString;
}

const originals = new WeakMap<object, Original>();

/**
 * Remembers the bytes that the text of a value was read from. Copies do not inherit them, because their text may
 * change.
 */
export function withOriginal<Value extends { readonly text: string }>(
  value: Value,
  original: Original | undefined,
): Value {
  if (original) originals.set(Object.freeze(value), original);
  return value;
}

/** Returns the bytes that the text of a value was read from, if they are known. */
export const originalOf = (value: { readonly text: string }): Original | undefined => originals.get(value);

/** Returns the text of a value as JSON. */
export function asJsonString(value: { readonly text: string }): ByteString {
  const known = originalOf(value);
  return known ? (known.json ??= JSON.stringify(known.bytes) as ByteString) : jsonBytesOf(value.text);
}

/** Returns a value as the JSON bytes that are sent. Joining and writing them costs no more than for ASCII. */
export function jsonBytesOf(value: unknown): ByteString {
  const bytes = typeof value === "string" && isTranscoded(value) ? byteStringOf(value) : null;
  // A lone surrogate has no UTF-8 bytes, but JSON escapes it, so that the JSON text always has bytes.
  const json = bytes === null ? byteStringOf(JSON.stringify(value)) : JSON.stringify(bytes);
  return json as ByteString;
}

function byteStringOf(text: string): string | null {
  if (isAsciiText(text)) return text;
  return utf8Of(text)?.toString("latin1") ?? null;
}

/** Checks for ASCII. Counting bytes is slow for other text, and a placeholder reveals at once that there is some. */
const isAsciiText = (text: string): boolean => !hasPlaceholder(text) && Buffer.byteLength(text) === text.length;

/** Short texts are not transcoded, because the detour would cost more than it saves. */
const isTranscoded = ({ length }: string): boolean => length > SHORT && length <= LIMITS.transcodedUnits;

const SHORT = 1000;

/**
 * Encodes via UTF-16, from which Node converts to UTF-8 much faster than from a string. Returns null for a lone
 * surrogate.
 */
function utf8Of(text: string): Buffer | null {
  if (!isTranscoded(text)) return Buffer.from(text);
  try {
    return transcode(Buffer.from(text, "utf16le"), "utf16le", "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "U_INVALID_CHAR_FOUND") return null;
    throw error;
  }
}

/** A text that was read from bytes. ASCII text is its own original. */
export interface ReadText {
  readonly text: string;
  readonly original?: Original;
}

/** Decodes UTF-8, including a byte-order mark. Returns null if the bytes are invalid. */
export function readUtf8(utf8: Buffer): ReadText | null {
  if (isAscii(utf8)) return { text: utf8.toString("latin1") };
  if (!isUtf8(utf8)) return null;
  const bytes = utf8.toString("latin1") as ByteString;
  const found = placeholdersInBytes(bytes);
  const text = joinedAround(found, utf8, bytes) ?? wideText(utf8);
  return { text, original: { bytes, placeholders: found.map(({ placeholder }) => placeholder) } };
}

/**
 * Joins the text from pieces if a few placeholders are all that is not ASCII. V8 flattens such a string to two-byte
 * characters, which takes long, only once somebody reads it.
 */
function joinedAround(
  placeholders: readonly PlaceholderInBytes[],
  utf8: Buffer,
  bytes: ByteString,
): string | undefined {
  if (placeholders.length > FEW) return undefined;
  let text = "";
  let from = 0;
  for (const { placeholder, start, end } of placeholders) {
    if (!isAscii(utf8.subarray(from, start))) return undefined;
    text += bytes.slice(from, start) + placeholder;
    from = end;
  }
  return isAscii(utf8.subarray(from)) ? text + bytes.slice(from) : undefined;
}

const FEW = 64;

const wideText = (utf8: Buffer): string =>
  utf8.length > LIMITS.transcodedUnits ? utf8.toString("utf8") : transcode(utf8, "utf8", "utf16le").toString("utf16le");
