import type { ByteSource } from "../byte-source.ts";
import { damagedFault } from "./bounds.ts";
import { bytesAt } from "./packed-bytes.ts";

/** Says where the central directory of a zip is. */
export interface CentralDirectory {
  readonly start: number;
  readonly end: number;
  readonly count: number;
  /** Is added to the offset of every entry: a program that unpacks itself begins with other bytes. */
  readonly shift: number;
}

/** Finds the central directory by the record at the end of the file, also in archives of more than 4 GiB. */
export async function findCentralDirectory(source: ByteSource): Promise<CentralDirectory> {
  const tailStart = Math.max(0, source.size - (END + MOST_COMMENT));
  const tail = await bytesAt(source, tailStart, source.size - tailStart);
  const at = endRecordIn(tail);
  if (at < 0) throw damagedFault("it has no end record; it may be cut off");
  const end = tail.subarray(at);
  const found = {
    disk: end.readUInt16LE(4),
    count: end.readUInt16LE(10),
    size: end.readUInt32LE(12),
    offset: end.readUInt32LE(16),
    position: tailStart + at,
  };
  const { disk, count, size, offset, position } = needsWide(found) ? await wideRecord(source, found) : found;
  if (disk !== 0) throw damagedFault("it is one part of several");
  const start = position - size;
  if (start < offset) throw damagedFault("its central directory is not where it should be");
  if (count * LEAST_RECORD > size) throw damagedFault("it declares more entries than it can hold");
  return { start, end: position, count, shift: start - offset };
}

const END = 22;
const MOST_COMMENT = 0xffff;
const LEAST_RECORD = 46;

/**
 * Finds the last record whose comment ends with the file; a record inside the comment does not count. Where there is
 * none, bytes may follow the archive: then it is the last record of all.
 */
function endRecordIn(tail: Buffer): number {
  let last = -1;
  for (let at = tail.length - END; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== 0x06054b50) continue;
    const end = at + END + tail.readUInt16LE(at + 20);
    if (end === tail.length) return at;
    if (last < 0 && end < tail.length) last = at;
  }
  return last;
}

interface EndRecord {
  readonly disk: number;
  readonly count: number;
  readonly size: number;
  readonly offset: number;
  /** The start of the record itself, and so the end of the central directory. */
  readonly position: number;
}

const needsWide = ({ count, size, offset }: EndRecord): boolean =>
  count === 0xffff || size === 0xffffffff || offset === 0xffffffff;

/** Reads the record with 64-bit fields; returns the short one where there is none. */
async function wideRecord(source: ByteSource, short: EndRecord): Promise<EndRecord> {
  const locator = short.position - 20;
  if (locator < 0) return short;
  const pointer = await bytesAt(source, locator, 20);
  if (pointer.readUInt32LE(0) !== 0x07064b50) return short;
  const declared = safeNumber(pointer.readBigUInt64LE(8));
  // Behind the bytes of a program that unpacks itself, the record is not where it says, but still before its locator.
  const found = (await wideRecordAt(source, declared)) ?? (await wideRecordAt(source, locator - WIDE));
  if (!found) throw damagedFault("its 64-bit end record is missing");
  return found;
}

const WIDE = 56;

async function wideRecordAt(source: ByteSource, position: number): Promise<EndRecord | undefined> {
  if (position < 0 || position + WIDE > source.size) return undefined;
  const record = await bytesAt(source, position, WIDE);
  if (record.readUInt32LE(0) !== 0x06064b50) return undefined;
  return {
    disk: record.readUInt32LE(16),
    count: safeNumber(record.readBigUInt64LE(32)),
    size: safeNumber(record.readBigUInt64LE(40)),
    offset: safeNumber(record.readBigUInt64LE(48)),
    position,
  };
}

/** Converts a 64-bit number that must be an offset or a size in this file. */
export function safeNumber(wide: bigint): number {
  if (wide > BigInt(Number.MAX_SAFE_INTEGER)) throw damagedFault("a size in it is impossible");
  return Number(wide);
}
