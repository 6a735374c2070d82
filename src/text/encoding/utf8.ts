import { Buffer, isAscii, isUtf8, transcode } from "node:buffer";
import { LIMITS } from "../../base/limits.ts";
import { PLACEHOLDER_START, type PlaceholderInBytes, placeholdersInBytes } from "../secrets/placeholder.ts";

/** The bytes of a text in UTF-8, each as a character of its own. Written as Latin-1, it is that text in UTF-8. */
export type ByteString = string & { readonly byteString: unique symbol };

/** The bytes that a text was read from which is not ASCII, and what is known of it by them. */
export interface Original {
  readonly bytes: ByteString;
  readonly handles: readonly string[];
  /** Made when it is first needed. */
  json?: ByteString;
}

const originals = new WeakMap<object, Original>();

/** Remembers from which bytes it was read what something says. No copy inherits that: it may say something else. */
export function withOriginal<Said extends { readonly text: string }>(
  value: Said,
  original: Original | undefined,
): Said {
  if (original) originals.set(Object.freeze(value), original);
  return value;
}

/** From which bytes it was read what something says, where that is known. */
export const originalOf = (value: { readonly text: string }): Original | undefined => originals.get(value);

/** What something says, in JSON. */
export function asJsonString(value: { readonly text: string }): ByteString {
  const known = originalOf(value);
  return known ? (known.json ??= JSON.stringify(known.bytes) as ByteString) : jsonBytesOf(value.text);
}

/** What a value is in JSON, as the bytes that go out. Joining and writing these costs no more than for ASCII. */
export function jsonBytesOf(value: unknown): ByteString {
  const bytes = typeof value === "string" && isTranscoded(value) ? byteStringOf(value) : null;
  // Half of a character has no bytes. In JSON it is written out, so that JSON has bytes whatever it is made of.
  const json = bytes === null ? byteStringOf(JSON.stringify(value)) : JSON.stringify(bytes);
  return json as ByteString;
}

function byteStringOf(text: string): string | null {
  if (isAsciiText(text)) return text;
  return utf8Of(text)?.toString("latin1") ?? null;
}

/** Text that is not ASCII is slow to count: a handle tells of it at once. */
const isAsciiText = (text: string): boolean =>
  !text.includes(PLACEHOLDER_START) && Buffer.byteLength(text) === text.length;

/** For a few words the way would be longer than what it saves. */
const isTranscoded = ({ length }: string): boolean => length > SHORT && length <= LIMITS.transcodedUnits;

const SHORT = 1000;

/** By way of UTF-16: Node goes fast from there to UTF-8 and back, and slowly from a string. Null for half a character. */
function utf8Of(text: string): Buffer | null {
  if (!isTranscoded(text)) return Buffer.from(text);
  try {
    return transcode(Buffer.from(text, "utf16le"), "utf16le", "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "U_INVALID_CHAR_FOUND") return null;
    throw error;
  }
}

/** A text that was read from bytes. One that is ASCII is its own original. */
export interface ReadText {
  readonly text: string;
  readonly original?: Original;
}

/** What bytes say in UTF-8, a byte-order mark too; null where they say nothing. */
export function readUtf8(utf8: Buffer): ReadText | null {
  if (isAscii(utf8)) return { text: utf8.toString("latin1") };
  if (!isUtf8(utf8)) return null;
  const bytes = utf8.toString("latin1") as ByteString;
  const found = placeholdersInBytes(bytes);
  const text = joinedAround(found, utf8, bytes) ?? wideText(utf8);
  return { text, original: { bytes, handles: found.map(({ handle }) => handle) } };
}

/**
 * Where a few handles are all that is not ASCII, the text is joined from pieces: V8 makes it wide, which takes long, only
 * once somebody looks into it.
 */
function joinedAround(handles: readonly PlaceholderInBytes[], utf8: Buffer, bytes: ByteString): string | undefined {
  if (handles.length > FEW) return undefined;
  let text = "";
  let from = 0;
  for (const { handle, start, end } of handles) {
    if (!isAscii(utf8.subarray(from, start))) return undefined;
    text += bytes.slice(from, start) + handle;
    from = end;
  }
  return isAscii(utf8.subarray(from)) ? text + bytes.slice(from) : undefined;
}

const FEW = 64;

const wideText = (utf8: Buffer): string =>
  utf8.length > LIMITS.transcodedUnits ? utf8.toString("utf8") : transcode(utf8, "utf8", "utf16le").toString("utf16le");
