import { crc32 } from "node:zlib";
import { LIMITS } from "../../base/limits.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import type { ByteSource } from "../byte-source.ts";
import { type ArchiveEntry, type ArchiveListing, PERMISSION_BITS, type RefusedEntry } from "./archive-entry.ts";
import { damagedFault, exactly, requireFewEntries, requireSaneSize } from "./bounds.ts";
import { parseEntryName } from "./entry-name.ts";
import { bytesAt, bytesIn, inflatedAtOnce, unpacked } from "./packed-bytes.ts";
import { findCentralDirectory } from "./zip-end.ts";
import {
  DEFLATED,
  isEncrypted,
  LOCAL_HEADER,
  STORED,
  type ZipData,
  zipDataOf,
  type ZipRecord,
  zipRecords,
} from "./zip-records.ts";

/** Lists a zip by its central directory, window by window: memory grows with the entries, not with the archive. */
export async function listZip(source: ByteSource, checkpoint: Checkpoint): Promise<ArchiveListing> {
  const directory = await findCentralDirectory(source);
  requireFewEntries(directory.count);
  const entries: ArchiveEntry[] = [];
  const refused: RefusedEntry[] = [];
  for await (const record of zipRecords(source, directory)) {
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
  const data = await dataOf(source, entry);
  let sum = 0;
  yield* exactly(contentOf(source, entry, data), entry.size, (chunk) => {
    if (chunk) sum = crc32(chunk, sum);
    return sum === entry.crc;
  });
}

/** Unpacks a small entry in one step: an engine for each of many takes longer than their bytes. */
async function* contentOf(
  source: ByteSource,
  { method, size, packedSize }: ArchiveEntry,
  { start, end }: ZipData,
): AsyncGenerator<Uint8Array> {
  if (method === STORED) yield* bytesIn(source, start, end);
  else if (Math.max(size, packedSize) > AT_ONCE) yield* unpacked(bytesIn(source, start, end), "deflate");
  else yield inflatedAtOnce(await bytesAt(source, start, packedSize), size);
}

const AT_ONCE = 64 * 1024;

const UNIX = 3;
const MAC = 19;

async function entryOf(
  source: ByteSource,
  record: ZipRecord,
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

function problemOf(record: ZipRecord): string | undefined {
  const { method, size, packedSize } = record;
  if (isEncrypted(record)) return "it is encrypted";
  if (method !== STORED && method !== DEFLATED) return `it is compressed by method ${method}, which is not supported`;
  return method === STORED && size !== packedSize ? "its two sizes differ although it is not compressed" : undefined;
}

/** Reads the target of a link, which is its content. Returns undefined where that is too long. */
async function linkTarget(source: ByteSource, entry: ArchiveEntry): Promise<string | undefined> {
  if (entry.size > LIMITS.archiveLinkBytes || entry.packedSize > LIMITS.archiveLinkBytes) return undefined;
  try {
    const packed = await bytesAt(source, (await dataOf(source, entry)).start, entry.packedSize);
    const bytes = entry.method === STORED ? packed : inflatedAtOnce(packed, entry.size);
    return bytes.toString("utf8");
  } catch {
    // A link that cannot be read leads nowhere.
    return undefined;
  }
}

/** Returns where the bytes of an entry are. Its own header must name the same entry as the central directory. */
async function dataOf(source: ByteSource, entry: ArchiveEntry): Promise<ZipData> {
  const data = await zipDataOf(source, entry);
  const name = parseEntryName(data.name);
  if (!("path" in name) || name.path !== entry.path || data.method !== entry.method)
    throw damagedFault("an entry has two names or two methods");
  return data;
}

/** Throws where two entries share bytes: that is how a few bytes are made to unpack to many. */
function requireApart(entries: readonly ArchiveEntry[], end: number): void {
  const at = (nth: number): ArchiveEntry => entries[nth] as ArchiveEntry;
  const order = Uint32Array.from(entries, (_, nth) => nth).toSorted((one, other) => at(one).offset - at(other).offset);
  order.forEach((nth, position) => {
    const { offset, packedSize } = at(nth);
    const following = order[position + 1];
    const next = following === undefined ? end : at(following).offset;
    if (offset + LOCAL_HEADER + packedSize > next) throw damagedFault("its entries overlap");
  });
}
