import { Buffer } from "node:buffer";
import { decodeOrNull, isMultiByte } from "./encoding.ts";

/**
 * Returns the bytes that `decode` turns into exactly this text, or null if the encoding has none. `label` is canonical.
 */
export function encode(text: string, label: string): Uint8Array | null {
  const bytes = bytesOf(text, label);
  return bytes !== null && decodeOrNull(bytes, label) === text ? bytes : null;
}

/** Returns the first character that cannot be encoded, with its line from 1, or null. */
export function firstUnencodable(text: string, label: string): { character: string; line: number } | null {
  let line = 1;
  for (const character of text) {
    if (!isEncodable(character, label)) return { character, line };
    if (character === "\n") line += 1;
  }
  return null;
}

function isEncodable(character: string, label: string): boolean {
  return label.startsWith("utf-") ? !LONE_SURROGATE.test(character) : packedOf(character, label) !== undefined;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function bytesOf(text: string, label: string): Uint8Array | null {
  if (label === "utf-8") return Buffer.from(text, "utf8");
  if (label === "utf-16le") return Buffer.from(text, "utf16le");
  if (label === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  const bytes: number[] = [];
  for (const character of text) {
    const packed = packedOf(character, label);
    if (packed === undefined) return null;
    pushPacked(bytes, packed);
  }
  return Buffer.from(bytes);
}

/**
 * The bytes of one character packed into a number, the first byte highest. No sequence of several bytes starts with 0.
 */
type Packed = number;

function pushPacked(bytes: number[], packed: Packed): void {
  if (packed > 0xff) pushPacked(bytes, Math.floor(packed / 0x100));
  bytes.push(packed % 0x100);
}

function packedOf(character: string, label: string): Packed | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff && label === "gb18030") return fourBytes(code - 0x10000 + FOUR_BYTES_ASTRAL);
  return tableOf(label).get(character);
}

const tables = new Map<string, ReadonlyMap<string, Packed>>();

/**
 * Returns the table of an encoding, cached. It is built from the decoder itself, so that it is its inverse in every
 * version of Node.
 */
function tableOf(label: string): ReadonlyMap<string, Packed> {
  const known = tables.get(label);
  if (known !== undefined) return known;
  const table = new Map<string, Packed>();
  for (const [character, packed] of entriesOf(label)) {
    if (!table.has(character)) table.set(character, packed);
  }
  tables.set(label, table);
  return table;
}

type Entry = readonly [character: string, packed: Packed];

/** Yields the character of each byte sequence. If a character has several sequences, the first one is written. */
function* entriesOf(label: string): Iterable<Entry> {
  if (isMultiByte(label)) yield* wideEntries(label);
  for (let byte = 0; byte < 0x100; byte += 1) {
    const character = decodeOrNull(Uint8Array.of(byte), label);
    if (character !== null) yield [character, byte];
  }
}

/** Decodes all sequences at once, one per line, because 60,000 single calls take a second. */
function* wideEntries(label: string): Iterable<Entry> {
  const sequences = [...(PREFERRED.get(label) ?? []), ...pairsOf(label), ...longerOf(label)];
  const bytes: number[] = [];
  for (const packed of sequences) {
    pushPacked(bytes, packed);
    bytes.push(LINE_FEED);
  }
  const lines = new TextDecoder(label === "gbk" ? "gb18030" : label).decode(Uint8Array.from(bytes)).split("\n");
  for (const [index, packed] of sequences.entries()) {
    const character = lines[index] ?? "";
    if (ONE_CHARACTER.test(character)) yield [character, packed];
  }
}

const LINE_FEED = 0x0a;

/**
 * Excludes ASCII, which has single bytes; controls, which are lead bytes passed through; and the replacement character.
 */
const ONE_CHARACTER = /^[^\p{ASCII}\p{Cc}\uFFFD]$/u;

/** If an encoding has a character twice, programs write the first sequence, except for these. */
const PREFERRED: ReadonlyMap<string, readonly Packed[]> = new Map([
  ["shift_jis", range(0xfa5c, 0xfc4b)],
  ["big5", [0xf9f9, 0xf9e9, 0xf9ea, 0xf9eb, 0xa451, 0xa4ca]],
  ["gbk", [0x80]],
]);

/** Excludes five pairs after the half-width letters of EUC-JP that only ICU reads. */
function pairsOf(label: string): readonly Packed[] {
  const pairs = range(0x8130, 0xfeff);
  return label === "euc-jp" ? pairs.filter((packed) => packed < 0x8ee0 || packed > 0x8eff) : pairs;
}

function longerOf(label: string): readonly Packed[] {
  if (label === "euc-jp") return range(0x8fa1a1, 0x8ffefe);
  return label === "gb18030" ? Array.from({ length: FOUR_BYTES_BASIC }, (_, index) => fourBytes(index)) : [];
}

/** Returns the sequences between two. None contains a line feed, because no last byte is this low. */
function range(first: Packed, last: Packed): readonly Packed[] {
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return all.filter((packed) => packed % 0x100 >= 0x30);
}

/**
 * Four-byte sequences of GB18030 number the rest of Unicode: first the characters that the shorter forms lack, then the
 * upper planes.
 */
const FOUR_BYTES_BASIC = 39_420;
const FOUR_BYTES_ASTRAL = 189_000;

function fourBytes(index: number): Packed {
  const [first, second] = [Math.floor(index / 12_600), Math.floor(index / 1260) % 10];
  const [third, fourth] = [Math.floor(index / 10) % 126, index % 10];
  return 0x81308130 + first * 0x1000000 + second * 0x10000 + third * 0x100 + fourth;
}
