import { Buffer, isUtf8 } from "node:buffer";
import { errnoOf } from "../base/errno.ts";
import { Fault } from "../base/errors.ts";
import { textOfUtf8 } from "./utf8.ts";

/** What a run of bytes turned out to be. `label` is the lower-case WHATWG name; `bomBytes` is 0, 2 or 3. */
export interface Encoding {
  readonly label: string;
  readonly bomBytes: number;
}

/** Recognises text, or answers null for binary. A sample that is not `complete` may end inside a character. */
export async function detectEncoding(sample: Uint8Array, complete: boolean): Promise<Encoding | null> {
  const quick = quickEncoding(sample, complete);
  if (quick !== undefined) return quick;
  const shape = shapeOf(sample);
  if (isNoise(shape) || hasBinaryMagic(sample)) return null;
  return { label: await legacyLabel(sample, shape, complete), bomBytes: 0 };
}

/** The same without waiting, for all that is Unicode or holds a NUL; undefined when a closer look is needed. */
export function quickEncoding(sample: Uint8Array, complete: boolean): Encoding | null | undefined {
  const marked = markedEncoding(sample);
  if (marked.bomBytes === 2) return isReadable(whole(sample, marked.label, complete), marked.label) ? marked : null;
  if (bufferOf(sample).includes(0)) return unmarkedUtf16(sample, complete);
  if (!isUtf8(whole(sample, "utf-8", complete))) return undefined;
  const start = sample.subarray(0, START_BYTES);
  return controlsIn(start) * 10 > start.length ? null : marked;
}

/** The canonical label for what a caller asked for, or a Fault that lists examples. */
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
  const text = textOf(bytes, label);
  if (text !== null) return text;
  throw new Fault("not_text", `Cannot read as ${label}: some bytes mean nothing in it`, { encoding: label });
}

/** Where a page may be cut: the largest length that does not end inside a character. */
export function wholeCharacters(bytes: Uint8Array, label: string): number {
  if (label === "utf-8") return bytes.length - danglingUtf8(bytes);
  if (unitWidth(label) === 2) return wholeUtf16(bytes, label);
  const width = WIDTHS.get(label);
  return width === undefined ? bytes.length : wholeSequences(bytes, width);
}

/** Whether some of its characters take several bytes, and others one. Unicode is not among these. */
export const isMultiByte = (label: string): boolean => WIDTHS.has(label);

/** Width of a code unit: a line feed is this many bytes. */
export function unitWidth(label: string): 1 | 2 {
  return label.startsWith("utf-16") ? 2 : 1;
}

const EXAMPLES = "utf-8, utf-16le, windows-1252, shift_jis, euc-jp, gb18030, big5, euc-kr, koi8-r";

/** Its meaning depends on escapes far before: a page or an edit in the middle of such a file cannot be right. */
const STATEFUL = "iso-2022-jp";

const WINDOWS_1252 = "windows-1252";

/** Names that people use and WHATWG does not know. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["utf16", "utf-16le"],
  ["utf16le", "utf-16le"],
  ["utf16be", "utf-16be"],
  ["cp932", "shift_jis"],
  ["cp936", "gbk"],
  ["cp949", "euc-kr"],
  ["cp950", "big5"],
]);

/** Bytes that the character takes which starts with these two. */
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

function markedEncoding(sample: Uint8Array): Encoding {
  const [first, second, third] = sample;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { label: "utf-8", bomBytes: 3 };
  if (first === 0xff && second === 0xfe) return { label: "utf-16le", bomBytes: 2 };
  if (first === 0xfe && second === 0xff) return { label: "utf-16be", bomBytes: 2 };
  return { label: "utf-8", bomBytes: 0 };
}

/** The same memory: a Buffer searches and converts it natively, a plain array one byte at a time. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function whole(sample: Uint8Array, label: string, complete: boolean): Uint8Array {
  return complete ? sample : sample.subarray(0, wholeCharacters(sample, label));
}

const UNREADABLE = /(?!\s)[\p{Cc}\p{Cn}\p{Co}]/gu;

function isReadable(bytes: Uint8Array, label: string, most = 0.1): boolean {
  const text = textOf(bytes, label);
  return text !== null && (text.match(UNREADABLE)?.length ?? 0) <= text.length * most;
}

function unmarkedUtf16(sample: Uint8Array, complete: boolean): Encoding | null {
  const label = labelByNuls(sample);
  if (label === null || !isReadable(whole(sample, label, complete), label, 0.02)) return null;
  return { label, bomBytes: 0 };
}

/** In UTF-16 the NULs are the upper halves of ASCII, all on one side; in ASCII with NULs the other units are pairs. */
function labelByNuls(sample: Uint8Array): string | null {
  let even = 0;
  let odd = 0;
  let pairs = 0;
  for (let at = 0; at + 1 < sample.length; at += 2) {
    const first = sample[at] ?? 0;
    const second = sample[at + 1] ?? 0;
    if (first === 0) even += 1;
    if (second === 0) odd += 1;
    if (isPrintableAscii(first) && isPrintableAscii(second)) pairs += 1;
  }
  const units = Math.floor(sample.length / 2);
  const nuls = Math.max(even, odd);
  if (units < 2 || nuls * 16 < units || Math.min(even, odd) * 8 > nuls || pairs * 2 > units - even - odd) return null;
  return odd > even ? "utf-16le" : "utf-16be";
}

function isPrintableAscii(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}

/** Controls are counted in the start alone: it tells as much as all, and costs the same for every file. */
const START_BYTES = 1024;

/** One bit for each C0 control that text does not hold. \b \t \n \f \r ESC it does, and ^Z ends files from DOS. */
const CONTROLS = ~[0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1a, 0x1b].reduce((mask, code) => mask | (1 << code), 0);

function controlsIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20) count += (CONTROLS >>> byte) & 1;
  }
  return count;
}

function canonicalLabel(name: string): string | null {
  try {
    return new TextDecoder(name).encoding;
  } catch (error) {
    if (errnoOf(error) === "ERR_ENCODING_NOT_SUPPORTED") return null;
    throw error;
  }
}

function textOf(bytes: Uint8Array, label: string): string | null {
  if (label === WINDOWS_1252) return fromWindows1252(bytes);
  const text = strictText(bytes, label === "gbk" ? "gb18030" : label);
  if (text === null || label.startsWith("utf-")) return text;
  if (isMultiByte(label) && PASSED_THROUGH.test(text)) return null;
  return withOwnControls(text, bytes);
}

/** Where ICU does not know a double-byte character, as in the newer half of Korean, it lets the lead byte through. */
const PASSED_THROUGH = /[\x80-\x9f]/;

const UPPER_CONTROLS = /[\x80-\x9f]/g;
const WINDOWS_1252_UPPER = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** By hand, because TextDecoder in Node 20 takes it for Latin-1 (nodejs/node#56542). */
function fromWindows1252(bytes: Uint8Array): string {
  const latin1 = bufferOf(bytes).toString("latin1");
  return latin1.replace(UPPER_CONTROLS, (control) => WINDOWS_1252_UPPER.charAt(control.charCodeAt(0) - 0x80));
}

const STRICT = { fatal: true, ignoreBOM: true } as const;

function strictText(bytes: Uint8Array, label: string): string | null {
  if (label === "utf-8") return textOfUtf8(bufferOf(bytes));
  try {
    return new TextDecoder(label, STRICT).decode(bytes);
  } catch (error) {
    if (errnoOf(error) === "ERR_ENCODING_INVALID_ENCODED_DATA") return null;
    throw error;
  }
}

const SHUFFLED = [0x1a, 0x1c, 0x7f];

/** ICU exchanges three controls in Shift_JIS and IBM866, and a file would lose its ^Z: put the file's own back. */
function withOwnControls(text: string, bytes: Uint8Array): string {
  const buffer = bufferOf(bytes);
  if (!SHUFFLED.some((control) => buffer.includes(control))) return text;
  const own = bytes.filter((byte) => byte < 0x20 || byte === 0x7f);
  let next = 0;
  return text.replace(/(?![\x80-\x9f])\p{Cc}/gu, () => String.fromCharCode(own[next++] ?? 0));
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

/** No double-byte encoding uses bytes below 0x30 inside a character, so one begins behind the last of them. */
function lastCertainStart(bytes: Uint8Array): number {
  let at = bytes.length;
  while (at > 0 && (bytes[at - 1] ?? 0) >= 0x30) at -= 1;
  return at;
}

/** What the bytes look like before any guess. `crowded` counts the high bytes that stand three or more in a row. */
interface Shape {
  readonly low: number;
  readonly high: number;
  readonly crowded: number;
  readonly controls: number;
}

function shapeOf(bytes: Uint8Array): Shape {
  let high = 0;
  let crowded = 0;
  let run = 0;
  for (const byte of bytes) {
    run = byte < 0x80 ? 0 : run + 1;
    if (run > 0) high += 1;
    if (run >= 3) crowded += run === 3 ? 3 : 1;
  }
  return { low: bytes.length - high, high, crowded, controls: controlsIn(bytes) };
}

/** Of the low bytes, a fifth are controls in random data and hardly any in text of any encoding. */
function isNoise({ controls, low }: Shape): boolean {
  return controls * 20 > low;
}

/** Binary formats whose beginning may be free of NUL. */
const MAGIC = ["%PDF-", "\x1f\x8b", "(\xb5/\xfd", "BZh", "\x04\x22M\x18", "7z\xbc\xaf", "\xfd7zXZ", "\xff\xd8\xff"];

function hasBinaryMagic(sample: Uint8Array): boolean {
  const start = bufferOf(sample).toString("latin1", 0, 8);
  return MAGIC.some((magic) => start.startsWith(magic));
}

type Family = "wide" | "script" | "latin" | "western";

interface Guess {
  readonly label: string;
  readonly family: Family;
  readonly confidence: number;
}

async function legacyLabel(sample: Uint8Array, shape: Shape, complete: boolean): Promise<string> {
  if (isDamagedUtf8(sample)) return WINDOWS_1252;
  const { analyse } = await import("chardet");
  const guesses = analyse(tellingLines(sample)).flatMap(({ name, confidence }) => {
    const row = GUESSES.get(name);
    return row === undefined ? [] : [{ label: row[0], family: row[1], confidence }];
  });
  const western = guesses.find(({ family }) => family === "western")?.confidence ?? 0;
  const believed = guesses.find(
    (guess) => isBelieved(guess, shape, western) && textOf(whole(sample, guess.label, complete), guess.label) !== null,
  );
  return believed?.label ?? WINDOWS_1252;
}

/** Nearly all of it is UTF-8: a guess would only dress the damage up as Greek or Hebrew. */
function isDamagedUtf8(sample: Uint8Array): boolean {
  const foreign = new TextDecoder().decode(sample).match(/\P{ASCII}/gu) ?? [];
  return foreign.filter((character) => character === "\uFFFD").length * 4 < foreign.length;
}

/** Enough for a guess; more only costs time. */
const EVIDENCE_BYTES = 8192;

/** Only lines with a high byte tell something; the English ones between them would outvote them. */
function tellingLines(sample: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  for (let start = 0, kept = 0; start < sample.length && kept < EVIDENCE_BYTES;) {
    const feed = sample.indexOf(0x0a, start);
    const end = feed < 0 ? sample.length : feed + 1;
    const line = sample.subarray(start, end);
    start = end;
    if (!line.some((byte) => byte >= 0x80)) continue;
    lines.push(line);
    kept += line.length;
  }
  return Buffer.concat(lines).subarray(0, EVIDENCE_BYTES);
}

const GUESSES: ReadonlyMap<string, readonly [label: string, family: Family]> = new Map([
  ["Shift_JIS", ["shift_jis", "wide"]],
  ["EUC-JP", ["euc-jp", "wide"]],
  ["GB18030", ["gb18030", "wide"]],
  ["Big5", ["big5", "wide"]],
  ["EUC-KR", ["euc-kr", "wide"]],
  ["windows-1251", ["windows-1251", "script"]],
  ["KOI8-R", ["koi8-r", "script"]],
  ["ISO-8859-5", ["iso-8859-5", "script"]],
  ["windows-1253", ["windows-1253", "script"]],
  ["ISO-8859-7", ["iso-8859-7", "script"]],
  ["windows-1255", ["windows-1255", "script"]],
  ["ISO-8859-8", ["windows-1255", "script"]],
  ["windows-1256", ["windows-1256", "script"]],
  ["ISO-8859-6", ["iso-8859-6", "script"]],
  ["windows-874", ["windows-874", "script"]],
  ["windows-1250", ["windows-1250", "latin"]],
  ["ISO-8859-2", ["iso-8859-2", "latin"]],
  ["windows-1254", ["windows-1254", "latin"]],
  ["ISO-8859-9", ["windows-1254", "latin"]],
  ["windows-1257", ["windows-1257", "latin"]],
  ["windows-1258", ["windows-1258", "latin"]],
  ["windows-1252", [WINDOWS_1252, "western"]],
  ["ISO-8859-1", [WINDOWS_1252, "western"]],
]);

/**
 * Windows-1252 is the most likely legacy encoding, so every other needs evidence. High bytes stand alone between
 * ASCII letters in Latin scripts, and in rows in all others. Measured: of 7,808 western texts 3 were misjudged.
 */
function isBelieved({ family, confidence }: Guess, { high, crowded }: Shape, western: number): boolean {
  const crowding = crowded / high;
  if (family === "wide") return confidence >= 50 && crowding >= 0.3;
  if (family === "script") return confidence >= 10 && confidence > western && crowding >= 0.6 && high >= 6;
  if (family === "western") return false;
  return confidence >= 26 && confidence >= western * 1.25 && crowding < 0.6 && high >= 8;
}
