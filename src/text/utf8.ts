import { Buffer, isAscii, isUtf8, transcode } from "node:buffer";
import { LIMITS } from "../base/limits.ts";
import { HANDLE_BEGINS } from "./secret-handle.ts";

/** The bytes of a text in UTF-8, each as a character of its own. Written as Latin-1, it is that text in UTF-8. */
export type ByteString = string & { readonly byteString: unique symbol };

/** What a value is in JSON, as the bytes that go out. Joining and writing these costs no more than for ASCII. */
export function jsonBytesOf(value: unknown): ByteString {
  const bytes = typeof value === "string" && value.length <= LIMITS.transcodedUnits ? byteStringOf(value) : null;
  // Half of a character has no bytes. In JSON it is written out, so that JSON has bytes whatever it is made of.
  const json = bytes === null ? byteStringOf(JSON.stringify(value)) : JSON.stringify(bytes);
  return json as ByteString;
}

function byteStringOf(text: string): string | null {
  if (isAsciiText(text)) return text;
  return utf8Of(text)?.toString("latin1") ?? null;
}

/** Text that is not ASCII is slow to count: a handle tells of it at once. */
const isAsciiText = (text: string): boolean => !text.includes(HANDLE_BEGINS) && Buffer.byteLength(text) === text.length;

/** By way of UTF-16: Node goes fast from there to UTF-8 and back, and slowly from a string. Null for half a character. */
function utf8Of(text: string): Buffer | null {
  if (text.length > LIMITS.transcodedUnits) return Buffer.from(text);
  try {
    return transcode(Buffer.from(text, "utf16le"), "utf16le", "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "U_INVALID_CHAR_FOUND") return null;
    throw error;
  }
}

/** What bytes say in UTF-8, a byte-order mark too; null where they say nothing. */
export function textOfUtf8(bytes: Buffer): string | null {
  if (isAscii(bytes)) return bytes.toString("latin1");
  if (!isUtf8(bytes)) return null;
  return bytes.length > LIMITS.transcodedUnits
    ? bytes.toString("utf8")
    : transcode(bytes, "utf8", "utf16le").toString("utf16le");
}
