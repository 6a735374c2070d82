import type { Buffer } from "node:buffer";

/** A TIFF structure, whose directories can be read. EXIF data have the same structure. */
export interface Tiff {
  readonly bytes: Buffer;
  readonly isLittle: boolean;
  /** Is where the first directory begins. */
  readonly first: number;
}

/** Holds the values of one directory by their tags. */
export interface Directory {
  /** Returns the first number of a tag. */
  number(tag: number): number | undefined;
  text(tag: number): string | undefined;
  fractions(tag: number): readonly number[];
  /** Is where the next directory begins; 0 after the last one. */
  readonly next: number;
}

/** Checks the byte order mark. Returns null for anything that is not a TIFF structure. */
export function openTiff(bytes: Buffer): Tiff | null {
  const order = bytes.toString("latin1", 0, 4);
  const isLittle = order === "II*\0";
  if (!isLittle && order !== "MM\0*") return null;
  return { bytes, isLittle, first: isLittle ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4) };
}

/** Reads a directory. Throws a RangeError when it is outside the bytes. */
export function directoryAt(tiff: Tiff, at: number): Directory {
  const count = u16(tiff, at);
  const entries = new Map<number, Entry>();
  for (let nth = 0; nth < count; nth++) {
    const entry = at + 2 + nth * ENTRY_BYTES;
    entries.set(u16(tiff, entry), { type: u16(tiff, entry + 2), count: u32(tiff, entry + 4), at: entry + 8 });
  }
  const next = u32(tiff, at + 2 + count * ENTRY_BYTES);
  return {
    number: (tag) => numberOf(tiff, entries.get(tag)),
    text: (tag) => textOf(tiff, entries.get(tag)),
    fractions: (tag) => fractionsOf(tiff, entries.get(tag)),
    next,
  };
}

interface Entry {
  readonly type: number;
  readonly count: number;
  /** Is where the value is, or where its offset is if it has more than four bytes. */
  readonly at: number;
}

const ENTRY_BYTES = 12;
const [ASCII, SHORT, LONG, FRACTION] = [2, 3, 4, 5] as const;
/** Caps the characters of a text: it names a camera, or a time. */
const TEXT_CHARS = 100;

function numberOf(tiff: Tiff, entry: Entry | undefined): number | undefined {
  if (entry?.type === SHORT) return u16(tiff, entry.count > 2 ? u32(tiff, entry.at) : entry.at);
  if (entry?.type === LONG) return u32(tiff, entry.count > 1 ? u32(tiff, entry.at) : entry.at);
  return undefined;
}

/** Returns a text without what does not print: it may come from anyone, and is shown to models. */
function textOf(tiff: Tiff, entry: Entry | undefined): string | undefined {
  if (entry?.type !== ASCII) return undefined;
  const start = entry.count > 4 ? u32(tiff, entry.at) : entry.at;
  const text = tiff.bytes.toString("latin1", start, start + Math.min(entry.count, TEXT_CHARS));
  return text
    .replace(/\0.*$/s, "")
    .replace(/[^ -~]/g, "")
    .trim();
}

function fractionsOf(tiff: Tiff, entry: Entry | undefined): readonly number[] {
  if (entry?.type !== FRACTION) return [];
  const start = u32(tiff, entry.at);
  return Array.from({ length: Math.min(entry.count, 3) }, (_, nth) => {
    const under = u32(tiff, start + nth * 8 + 4);
    return under === 0 ? 0 : u32(tiff, start + nth * 8) / under;
  });
}

const u16 = ({ bytes, isLittle }: Tiff, at: number): number =>
  isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
const u32 = ({ bytes, isLittle }: Tiff, at: number): number =>
  isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
