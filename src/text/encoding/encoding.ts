import { Buffer } from "node:buffer";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { readUtf8 } from "./utf8.ts";

/** Returns the canonical label of an encoding, or throws a fault with examples. */
export function encodingNamed(label: string): string {
  const name = label.trim().toLowerCase();
  const canonical = canonicalLabel(ALIASES.get(name) ?? name);
  if (canonical !== null && canonical !== STATEFUL) return canonical;
  throw new Fault("invalid_input", `Cannot use encoding ${JSON.stringify(label)}: not supported; try ${EXAMPLES}`, {
    encoding: label,
  });
}

/** Decodes without loss or throws `not_text`. A byte-order mark stays in the text as U+FEFF. */
export function decode(bytes: Uint8Array, label: string): string {
  const text = decodeOrNull(bytes, label);
  if (text !== null) return text;
  throw new Fault("not_text", `Cannot read as ${label}: some bytes are invalid in it`, { encoding: label });
}

/** Decodes without loss. Returns null if some bytes are invalid in the encoding. */
export function decodeOrNull(bytes: Uint8Array, label: string): string | null {
  if (label === WINDOWS_1252) return fromWindows1252(bytes);
  const text = strictText(bytes, label === "gbk" ? "gb18030" : label);
  if (text === null || label.startsWith("utf-")) return text;
  if (isMultiByte(label) && PASSED_THROUGH.test(text)) return null;
  return withOwnControls(text, bytes);
}

/** Returns the largest length that does not end inside a character, so that a page can be cut there. */
export function wholeCharacters(bytes: Uint8Array, label: string): number {
  if (label === "utf-8") return bytes.length - danglingUtf8(bytes);
  if (unitWidth(label) === 2) return wholeUtf16(bytes, label);
  const width = WIDTHS.get(label);
  return width === undefined ? bytes.length : wholeSequences(bytes, width);
}

/** Returns true for legacy encodings in which a character has one or more bytes. Unicode encodings are not included. */
export const isMultiByte = (label: string): boolean => WIDTHS.has(label);

/** Returns the width of a code unit, which is also the width of a line feed. */
export function unitWidth(label: string): 1 | 2 {
  return label.startsWith("utf-16") ? 2 : 1;
}

const EXAMPLES = "utf-8, utf-16le, windows-1252, shift_jis, euc-jp, gb18030, big5, euc-kr, koi8-r";

/**
 * Is refused because it is stateful: bytes depend on escapes far before, so a page or an edit in the middle cannot be
 * right.
 */
const STATEFUL = "iso-2022-jp";

/** The most likely encoding of a legacy file. */
export const WINDOWS_1252 = "windows-1252";

/** Common names that WHATWG does not define. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["utf16", "utf-16le"],
  ["utf16le", "utf-16le"],
  ["utf16be", "utf-16be"],
  ["cp932", "shift_jis"],
  ["cp936", "gbk"],
  ["cp949", "euc-kr"],
  ["cp950", "big5"],
]);

/** Returns the length of the character that starts with these two bytes. */
type Width = (lead: number, second: number) => number;

const gbWidth: Width = (lead, second) => {
  if (lead < 0x81 || lead > 0xfe) return 1;
  return second >= 0x30 && second <= 0x39 ? 4 : 2;
};
const pairWidth: Width = (lead) => (lead >= 0x81 && lead <= 0xfe ? 2 : 1);

const WIDTHS: ReadonlyMap<string, Width> = new Map<string, Width>([
  ["shift_jis", (lead) => ((lead >= 0x81 && lead <= 0x9f) || (lead >= 0xe0 && lead <= 0xfc) ? 2 : 1)],
  ["euc-jp", (lead) => (lead === 0x8f ? 3 : lead === 0x8e || (lead >= 0xa1 && lead <= 0xfe) ? 2 : 1)],
  ["gb18030", gbWidth],
  ["gbk", gbWidth],
  ["big5", pairWidth],
  ["euc-kr", pairWidth],
]);

/** Wraps the same memory as a Buffer, which searches and converts natively instead of byte by byte. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function canonicalLabel(name: string): string | null {
  try {
    return new TextDecoder(name).encoding;
  } catch (error) {
    if (errnoOf(error) === "ERR_ENCODING_NOT_SUPPORTED") return null;
    throw error;
  }
}

/**
 * Detects lead bytes that ICU passes through for a double-byte character it does not know, as in the newer half of
 * Korean.
 */
const PASSED_THROUGH = /[\x80-\x9f]/;

const UPPER_CONTROLS = /[\x80-\x9f]/g;
const WINDOWS_1252_UPPER = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Decodes Windows-1252 by hand, because TextDecoder in Node 20 treats it as Latin-1 (nodejs/node#56542). */
function fromWindows1252(bytes: Uint8Array): string {
  const latin1 = bufferOf(bytes).toString("latin1");
  return latin1.replace(UPPER_CONTROLS, (control) => WINDOWS_1252_UPPER.charAt(control.charCodeAt(0) - 0x80));
}

const STRICT = { fatal: true, ignoreBOM: true } as const;

function strictText(bytes: Uint8Array, label: string): string | null {
  if (label === "utf-8") return readUtf8(bufferOf(bytes))?.text ?? null;
  try {
    return new TextDecoder(label, STRICT).decode(bytes);
  } catch (error) {
    if (errnoOf(error) === "ERR_ENCODING_INVALID_ENCODED_DATA") return null;
    throw error;
  }
}

const SWAPPED_CONTROLS = [0x1a, 0x1c, 0x7f];

/** Restores the controls of the file: ICU swaps three of them in Shift_JIS and IBM866, and a file would lose its ^Z. */
function withOwnControls(text: string, bytes: Uint8Array): string {
  const buffer = bufferOf(bytes);
  if (!SWAPPED_CONTROLS.some((control) => buffer.includes(control))) return text;
  const controls = bytes.filter((byte) => byte < 0x20 || byte === 0x7f);
  let next = 0;
  return text.replace(/(?![\x80-\x9f])\p{Cc}/gu, () => String.fromCharCode(controls[next++] ?? 0));
}

function danglingUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) !== 0x80) return utf8Width(byte) > back ? back : 0;
  }
  return 0;
}

function utf8Width(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function wholeUtf16(bytes: Uint8Array, label: string): number {
  const even = bytes.length - (bytes.length % 2);
  const upper = bytes[label === "utf-16le" ? even - 1 : even - 2] ?? 0;
  return upper >= 0xd8 && upper <= 0xdb ? even - 2 : even;
}

function wholeSequences(bytes: Uint8Array, width: Width): number {
  let at = lastCertainStart(bytes);
  while (at < bytes.length) {
    const next = at + width(bytes[at] ?? 0, bytes[at + 1] ?? 0);
    if (next > bytes.length) return at;
    at = next;
  }
  return at;
}

/** Returns a certain character boundary: no double-byte encoding uses bytes below 0x30 inside a character. */
function lastCertainStart(bytes: Uint8Array): number {
  let at = bytes.length;
  while (at > 0 && (bytes[at - 1] ?? 0) >= 0x30) at -= 1;
  return at;
}
