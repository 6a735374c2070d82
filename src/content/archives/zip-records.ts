import type { ByteSource } from "../byte-source.ts";
import { damagedFault } from "./bounds.ts";
import { bytesAt } from "./packed-bytes.ts";
import { type CentralDirectory, safeNumber } from "./zip-end.ts";

/** An entry of a zip as its central directory describes it. Nothing of it is proven. */
export interface ZipRecord {
  readonly name: Buffer;
  readonly madeBy: number;
  readonly flags: number;
  readonly method: number;
  readonly modifiedMs: number;
  readonly crc: number;
  readonly size: number;
  readonly packedSize: number;
  readonly attributes: number;
  readonly offset: number;
}

/** Reads the records of a central directory through a window that slides over it: memory does not grow with it. */
export async function* zipRecords(
  source: ByteSource,
  { start, end, count, shift }: CentralDirectory,
): AsyncGenerator<ZipRecord> {
  let window: Buffer = Buffer.alloc(0);
  let windowStart = start;
  let at = start;
  const need = async (length: number): Promise<Buffer> => {
    if (at + length > end) throw damagedFault("its central directory is cut off");
    if (at + length > windowStart + window.length) {
      window = await bytesAt(source, at, Math.min(Math.max(WINDOW, length), end - at));
      windowStart = at;
    }
    return window.subarray(at - windowStart, at - windowStart + length);
  };
  for (let nth = 0; nth < count; nth++) {
    const head = await need(RECORD);
    if (head.readUInt32LE(0) !== 0x02014b50) throw damagedFault("its central directory is damaged");
    const length = RECORD + head.readUInt16LE(28) + head.readUInt16LE(30) + head.readUInt16LE(32);
    yield parseRecord(await need(length), shift);
    at += length;
  }
  if (at !== end) throw damagedFault("its central directory has another size than declared");
}

const RECORD = 46;
const WINDOW = 256 * 1024;

function parseRecord(bytes: Buffer, shift: number): ZipRecord {
  const nameEnd = RECORD + bytes.readUInt16LE(28);
  const extra = bytes.subarray(nameEnd, nameEnd + bytes.readUInt16LE(30));
  const large = zip64Fields(extra);
  const wide = (at: number): number => (bytes.readUInt32LE(at) === 0xffffffff ? large() : bytes.readUInt32LE(at));
  const size = wide(24);
  const packedSize = wide(20);
  return {
    // A copy: a view would keep the whole window in memory.
    name: Buffer.from(bytes.subarray(RECORD, nameEnd)),
    madeBy: bytes.readUInt8(5),
    flags: bytes.readUInt16LE(8),
    method: bytes.readUInt16LE(10),
    modifiedMs: exactTime(extra) ?? dosTime(bytes.readUInt16LE(14), bytes.readUInt16LE(12)),
    crc: bytes.readUInt32LE(16),
    size,
    packedSize,
    attributes: bytes.readUInt32LE(38),
    offset: wide(42) + shift,
  };
}

/** Returns a function that reads the 64-bit fields of an entry one after the other. */
function zip64Fields(extra: Buffer): () => number {
  const fields = extraField(extra, 1) ?? extra.subarray(0, 0);
  let next = 0;
  return () => {
    if (next + 8 > fields.length) throw damagedFault("a 64-bit size is missing");
    next += 8;
    return safeNumber(fields.readBigUInt64LE(next - 8));
  };
}

/** Returns the time in seconds since 1970 that Unix programs add; undefined where there is none. */
function exactTime(extra: Buffer): number | undefined {
  const field = extraField(extra, 0x5455);
  return field && field.length >= 5 && ((field[0] as number) & 1) === 1 ? field.readInt32LE(1) * 1000 : undefined;
}

/** Finds an extra field by its number. */
function extraField(extra: Buffer, wanted: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === wanted) return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
  return undefined;
}

/** Converts a DOS date and time, which has no zone; UTC makes it the same everywhere. */
const dosTime = (date: number, time: number): number =>
  Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2);

/** Says where the packed bytes of an entry are, and what its own header repeats about it. */
export interface ZipData {
  readonly start: number;
  readonly end: number;
  readonly name: Buffer;
  readonly method: number;
}

/** Finds the packed bytes of an entry by the header before them; a program may copy them as they are. */
export async function zipDataOf(
  source: ByteSource,
  { offset, packedSize }: Pick<ZipRecord, "offset" | "packedSize">,
): Promise<ZipData> {
  const head = await bytesAt(source, offset, LOCAL_HEADER);
  if (head.readUInt32LE(0) !== 0x04034b50) throw damagedFault("an entry is not where it should be");
  const name = await bytesAt(source, offset + LOCAL_HEADER, head.readUInt16LE(26));
  const start = offset + LOCAL_HEADER + name.length + head.readUInt16LE(28);
  return { start, end: start + packedSize, name, method: head.readUInt16LE(8) };
}

/** The least bytes of the header before the packed bytes of an entry. */
export const LOCAL_HEADER = 30;

export const STORED = 0;
export const DEFLATED = 8;

export const isEncrypted = ({ flags }: Pick<ZipRecord, "flags">): boolean => (flags & 0x2041) !== 0;
