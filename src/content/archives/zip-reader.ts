import { crc32, inflateRawSync } from "node:zlib";
import { LIMITS } from "../../base/limits.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import type { ByteSource } from "../byte-source.ts";
import { type ArchiveEntry, type ArchiveListing, PERMISSION_BITS, type RefusedEntry } from "./archive-entry.ts";
import { damagedFault, exactly, requireFewEntries, requireSaneSize } from "./bounds.ts";
import { parseEntryName } from "./entry-name.ts";
import { bytesAt, bytesIn, unpacked } from "./packed-bytes.ts";
import { type CentralDirectory, findCentralDirectory, safeNumber } from "./zip-end.ts";

/** Lists a zip by its central directory, window by window: memory grows with the entries, not with the archive. */
export async function listZip(source: ByteSource, checkpoint: Checkpoint): Promise<ArchiveListing> {
  const directory = await findCentralDirectory(source);
  requireFewEntries(directory.count);
  const entries: ArchiveEntry[] = [];
  const refused: RefusedEntry[] = [];
  for await (const record of centralRecords(source, directory)) {
    requireFewEntries(entries.length + refused.length + 1);
    const name = parseEntryName(record.name);
    if ("problem" in name) refused.push(name);
    else entries.push(await entryOf(source, record, name));
    const pause = checkpoint();
    if (pause) await pause;
  }
  requireApart(entries, directory.start);
  return { entries, refused };
}

/** Streams an entry. What it declares is checked against its own header, its length and its checksum. */
export async function* zipEntryBytes(source: ByteSource, entry: ArchiveEntry): AsyncGenerator<Uint8Array> {
  requireSaneSize(entry.size, entry.packedSize);
  const from = await dataStart(source, entry);
  const packed = bytesIn(source, from, from + entry.packedSize);
  let sum = 0;
  yield* exactly(entry.method === STORED ? packed : unpacked(packed, "deflate"), entry.size, (chunk) => {
    if (chunk) sum = crc32(chunk, sum);
    return sum === entry.crc;
  });
}

const STORED = 0;
const DEFLATED = 8;

interface CentralRecord {
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

/** Reads the records through a window that slides over the central directory. */
async function* centralRecords(
  source: ByteSource,
  { start, end, count }: CentralDirectory,
): AsyncGenerator<CentralRecord> {
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
    yield parseRecord(await need(length));
    at += length;
  }
  if (at !== end) throw damagedFault("its central directory has another size than declared");
}

const RECORD = 46;
const WINDOW = 256 * 1024;

function parseRecord(bytes: Buffer): CentralRecord {
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
    modifiedMs: dosTime(bytes.readUInt16LE(14), bytes.readUInt16LE(12)),
    crc: bytes.readUInt32LE(16),
    size,
    packedSize,
    attributes: bytes.readUInt32LE(38),
    offset: wide(42),
  };
}

/** Returns a function that reads the 64-bit fields of an entry one after the other. */
function zip64Fields(extra: Buffer): () => number {
  let at = 0;
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2);
  const fields =
    at + 4 <= extra.length ? extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2)) : extra.subarray(0, 0);
  let next = 0;
  return () => {
    if (next + 8 > fields.length) throw damagedFault("a 64-bit size is missing");
    next += 8;
    return safeNumber(fields.readBigUInt64LE(next - 8));
  };
}

/** Converts a DOS date and time, which has no zone; UTC makes it the same everywhere. */
const dosTime = (date: number, time: number): number =>
  Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2);

const UNIX = 3;
const MAC = 19;

async function entryOf(
  source: ByteSource,
  record: CentralRecord,
  { path, isDirectory }: { readonly path: ArchiveEntry["path"]; readonly isDirectory: boolean },
): Promise<ArchiveEntry> {
  const unixMode = record.madeBy === UNIX || record.madeBy === MAC ? record.attributes >>> 16 : 0;
  const { size, packedSize, method, crc, modifiedMs } = record;
  const kind = kindOf(unixMode, isDirectory);
  const entry: ArchiveEntry = {
    path,
    kind,
    size: kind === "directory" ? 0 : size,
    mode: unixMode === 0 ? (kind === "directory" ? 0o755 : 0o644) : unixMode & PERMISSION_BITS,
    modifiedMs,
    problem: problemOf(record),
    offset: record.offset,
    packedSize,
    method,
    crc,
  };
  if (kind !== "symlink" || entry.problem !== undefined) return entry;
  return { ...entry, target: await linkTarget(source, entry) };
}

function kindOf(unixMode: number, isDirectory: boolean): ArchiveEntry["kind"] {
  const type = unixMode & 0o170000;
  if (isDirectory) return "directory";
  if (type === 0o120000) return "symlink";
  return type === 0 || type === 0o100000 ? "file" : "other";
}

function problemOf({ flags, method, size, packedSize }: CentralRecord): string | undefined {
  if ((flags & 0x2041) !== 0) return "it is encrypted";
  if (method !== STORED && method !== DEFLATED) return `it is compressed by method ${method}, which is not supported`;
  return method === STORED && size !== packedSize ? "its two sizes differ although it is not compressed" : undefined;
}

/** Reads the target of a link, which is its content. Returns undefined where that is too long. */
async function linkTarget(source: ByteSource, entry: ArchiveEntry): Promise<string | undefined> {
  if (entry.size > LIMITS.archiveLinkBytes || entry.packedSize > LIMITS.archiveLinkBytes) return undefined;
  try {
    const packed = await bytesAt(source, await dataStart(source, entry), entry.packedSize);
    const bytes = entry.method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: entry.size + 1 });
    return bytes.toString("utf8");
  } catch {
    // A link that cannot be read leads nowhere.
    return undefined;
  }
}

/** Returns where the bytes of an entry begin. Its own header must name the same entry as the central directory. */
async function dataStart(source: ByteSource, { path, offset, method }: ArchiveEntry): Promise<number> {
  const head = await bytesAt(source, offset, LOCAL);
  if (head.readUInt32LE(0) !== 0x04034b50) throw damagedFault("an entry is not where it should be");
  const nameLength = head.readUInt16LE(26);
  const name = parseEntryName(await bytesAt(source, offset + LOCAL, nameLength));
  if (!("path" in name) || name.path !== path || head.readUInt16LE(8) !== method)
    throw damagedFault("an entry has two names or two methods");
  return offset + LOCAL + nameLength + head.readUInt16LE(28);
}

const LOCAL = 30;

/** Throws where two entries share bytes: that is how a few bytes are made to unpack to many. */
function requireApart(entries: readonly ArchiveEntry[], end: number): void {
  const at = (nth: number): ArchiveEntry => entries[nth] as ArchiveEntry;
  const order = Uint32Array.from(entries, (_, nth) => nth).toSorted((one, other) => at(one).offset - at(other).offset);
  order.forEach((nth, position) => {
    const { offset, packedSize } = at(nth);
    const following = order[position + 1];
    const next = following === undefined ? end : at(following).offset;
    if (offset + LOCAL + packedSize > next) throw damagedFault("its entries overlap");
  });
}
