import { promisify } from "node:util";
import { crc32, createDeflateRaw, deflateRaw } from "node:zlib";
import { collectBytes } from "../../base/collect-bytes.ts";
import type { PackedContent, PackedEntry } from "./archive-entry.ts";
import { transformed } from "./packed-bytes.ts";

/** Streams a zip; 64-bit fields are written only where they are needed. */
export async function* packZip<Entry extends PackedEntry>(
  entries: readonly Entry[],
  contentOf: PackedContent<Entry>,
): AsyncGenerator<Uint8Array> {
  const records: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const writer = entry.size > AT_ONCE ? streamedEntry : wholeEntry;
    const packing = writer(entry, contentOf(entry));
    let step = await packing.next();
    const start = offset;
    for (; !step.done; step = await packing.next()) {
      offset += step.value.length;
      yield step.value;
    }
    records.push(centralRecord(entry, step.value, start));
  }
  const directory = Buffer.concat(records);
  yield directory;
  yield endRecords({ count: entries.length, size: directory.length, offset });
}

/** Caps the file that is packed in memory, where a header can tell its size in advance. */
const AT_ONCE = 1024 ** 2;

/** Holds what is known of an entry once it is packed. */
interface PackedFacts {
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly flags: number;
}

type PackedParts = AsyncGenerator<Uint8Array, PackedFacts>;

/** Packs a small file, or stores it where that is smaller. */
async function* wholeEntry(entry: PackedEntry, chunks: AsyncIterable<Uint8Array>): PackedParts {
  const content = entry.size === 0 ? Buffer.alloc(0) : await collectBytes(chunks);
  const deflated = content.length > 0 ? await promisify<Uint8Array, Buffer>(deflateRaw)(content) : content;
  const isSmaller = deflated.length < content.length;
  const packed = isSmaller ? deflated : content;
  const facts = { method: isSmaller ? 8 : 0, crc: crc32(content), packedSize: packed.length, flags: UTF8_NAMES };
  yield localHeader(entry, facts);
  yield packed;
  return facts;
}

/** Packs a large file as it comes. Its sizes and its checksum follow it. */
async function* streamedEntry(entry: PackedEntry, chunks: AsyncIterable<Uint8Array>): PackedParts {
  let [crc, packedSize] = [0, 0];
  async function* summed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      crc = crc32(chunk, crc);
      yield chunk;
    }
  }
  const flags = UTF8_NAMES | SIZES_FOLLOW;
  yield localHeader(entry, { method: 8, crc: 0, packedSize: 0, flags });
  for await (const chunk of transformed(summed(), createDeflateRaw({ chunkSize: OUTPUT }))) {
    packedSize += chunk.length;
    yield chunk;
  }
  yield descriptor(entry, crc, packedSize);
  return { method: 8, crc, packedSize, flags };
}

const OUTPUT = 64 * 1024;

/** Deflate may make a file a little larger: a size close to 4 GiB needs wide fields as well. */
const isWide = ({ size }: PackedEntry): boolean => size > 0xf0000000;

function descriptor(entry: PackedEntry, crc: number, packedSize: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x08074b50, 0);
  head.writeUInt32LE(crc, 4);
  if (isWide(entry)) return Buffer.concat([head, wide(packedSize), wide(entry.size)]);
  return Buffer.concat([head, narrow(packedSize), narrow(entry.size)]);
}

function wide(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(number));
  return bytes;
}

function narrow(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

const nameOf = ({ path, kind }: PackedEntry): Buffer => Buffer.from(kind === "directory" ? `${path}/` : path);

function localHeader(entry: PackedEntry, facts: PackedFacts): Buffer {
  const isLarge = isWide(entry);
  const follow = (facts.flags & SIZES_FOLLOW) !== 0;
  const extra = Buffer.concat([
    ...(isLarge ? [extraField(1, Buffer.concat([wide(0), wide(0)]))] : []),
    timeField(entry),
  ]);
  const sizes = isLarge ? [ALL_ONES, ALL_ONES] : follow ? [0, 0] : [facts.packedSize, entry.size];
  const lengths = Buffer.alloc(4);
  lengths.writeUInt16LE(nameOf(entry).length, 0);
  lengths.writeUInt16LE(extra.length, 2);
  return Buffer.concat([LOCAL, fieldsOf(entry, facts), ...sizes.map(narrow), lengths, nameOf(entry), extra]);
}

/** Returns the fields that both headers have, from the version that is needed on. */
function fieldsOf(entry: PackedEntry, { method, crc, flags }: PackedFacts): Buffer {
  const fields = Buffer.alloc(14);
  fields.writeUInt16LE(isWide(entry) ? 45 : 20, 0);
  fields.writeUInt16LE(flags, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt32LE(dosTimeOf(entry.modifiedMs), 6);
  fields.writeUInt32LE(crc, 10);
  return fields;
}

function centralRecord(entry: PackedEntry, facts: PackedFacts, offset: number): Buffer {
  const numbers = [entry.size, facts.packedSize, offset];
  const large = isWide(entry) ? numbers : offset >= ALL_ONES ? [offset] : [];
  const extra = Buffer.concat([
    ...(large.length > 0 ? [extraField(1, Buffer.concat(large.map(wide)))] : []),
    timeField(entry),
  ]);
  const shown = (number: number): Buffer => narrow(large.includes(number) ? ALL_ONES : number);
  const rest = Buffer.alloc(10);
  rest.writeUInt16LE(nameOf(entry).length, 0);
  rest.writeUInt16LE(extra.length, 2);
  const attributes = narrow((((entry.kind === "directory" ? 0o40000 : 0o100000) | entry.mode) << 16) >>> 0);
  return Buffer.concat([
    CENTRAL,
    MADE_ON_UNIX,
    fieldsOf(entry, facts),
    shown(facts.packedSize),
    shown(entry.size),
    rest,
    attributes,
    shown(offset),
    nameOf(entry),
    extra,
  ]);
}

const extraField = (number: number, content: Buffer): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(number, 0);
  head.writeUInt16LE(content.length, 2);
  return Buffer.concat([head, content]);
};

/** Holds the exact time, which the format of DOS does not: it has no zone. */
function timeField({ modifiedMs }: PackedEntry): Buffer {
  const content = Buffer.alloc(5);
  content.writeUInt8(1, 0);
  content.writeInt32LE(Math.min(Math.max(Math.floor(modifiedMs / 1000), 0), 0x7fffffff), 1);
  return extraField(0x5455, content);
}

interface Directory {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

function endRecords({ count, size, offset }: Directory): Buffer {
  const isLarge = count >= 0xffff || size >= ALL_ONES || offset >= ALL_ONES;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(isLarge ? 0xffff : count, 8);
  end.writeUInt16LE(isLarge ? 0xffff : count, 10);
  end.writeUInt32LE(isLarge ? ALL_ONES : size, 12);
  end.writeUInt32LE(isLarge ? ALL_ONES : offset, 16);
  return isLarge ? Buffer.concat([wideEnd({ count, size, offset }), end]) : end;
}

/** Writes the end record with 64-bit fields, and the locator that finds it. */
function wideEnd({ count, size, offset }: Directory): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0x06064b50, 0);
  head.writeBigUInt64LE(44n, 4);
  head.writeUInt16LE(0x032d, 12);
  head.writeUInt16LE(45, 14);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([head, wide(count), wide(count), wide(size), wide(offset), locator]);
}

const ALL_ONES = 0xffffffff;
const LOCAL = Buffer.from([0x50, 0x4b, 3, 4]);
const CENTRAL = Buffer.from([0x50, 0x4b, 1, 2]);
const MADE_ON_UNIX = Buffer.from([45, 3]);
const UTF8_NAMES = 0x800;
const SIZES_FOLLOW = 8;

/** Converts a time to the form of DOS, in UTC and in steps of two seconds; times before 1980 become its first day. */
function dosTimeOf(modifiedMs: number): number {
  const time = new Date(Math.min(Math.max(modifiedMs, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31)));
  const date = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return ((date << 16) | clock) >>> 0;
}
