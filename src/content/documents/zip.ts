import { crc32, inflateRawSync } from "node:zlib";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { damageIn } from "../archives/bounds.ts";
import { findCentralDirectory } from "../archives/zip-end.ts";
import { DEFLATED, isEncrypted, STORED, zipDataOf, type ZipRecord, zipRecords } from "../archives/zip-records.ts";
import { bytesInMemory } from "../byte-source.ts";

/** The parts of a zipped document by name. */
export interface ZipFile {
  readonly names: readonly string[];
  has(name: string): boolean;
  bytes(name: string): Buffer;
  /** Returns the text of a part, or an empty text where there is none. */
  text(name: string): string;
}

/** Opens a zipped document. All that is unpacked counts, whatever its directory says. */
export async function openZip(bytes: Uint8Array): Promise<ZipFile> {
  const entries = await orDamaged(() => packedParts(bytes));
  let room: number = LIMITS.documentUnpackedBytes;
  const unpack = (name: string): Buffer => {
    const entry = entries.get(name);
    if (!entry) throw damaged(`its part ${JSON.stringify(name)} is missing`);
    const content = unpacked(name, entry, room);
    room -= content.length;
    return content;
  };
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    bytes: unpack,
    text: (name) => (entries.has(name) ? decodeXml(unpack(name)) : ""),
  };
}

/** Refuses a document whose parts unpack to more than the limit, before a library unpacks all of them. */
export async function checkUnpackedSize(bytes: Uint8Array): Promise<void> {
  const zip = await openZip(bytes);
  if (bytes.length * DEFLATE_RATIO > LIMITS.documentUnpackedBytes) for (const name of zip.names) zip.bytes(name);
}

/** The most bytes that deflate can pack into one. */
const DEFLATE_RATIO = 1032;

interface PackedPart {
  readonly record: ZipRecord;
  /** Is undefined for a part that is not where the directory says: that matters only where it is read. */
  readonly packed: Buffer | undefined;
}

async function packedParts(bytes: Uint8Array): Promise<ReadonlyMap<string, PackedPart>> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const source = bytesInMemory(file);
  const parts = new Map<string, PackedPart>();
  for await (const record of zipRecords(source, await findCentralDirectory(source))) {
    if (parts.size >= LIMITS.documentEntries)
      throw new Fault("too_large", `Cannot read the document: it has more than ${LIMITS.documentEntries} parts`);
    const data = await zipDataOf(source, record).catch(() => undefined);
    parts.set(record.name.toString("utf8"), { record, packed: data && file.subarray(data.start, data.end) });
  }
  return parts;
}

/** Reports a damaged zip as a damaged document. */
async function orDamaged<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const state = damageIn(error);
    throw state === undefined ? error : damaged(state);
  }
}

function unpacked(name: string, { record, packed }: PackedPart, room: number): Buffer {
  if (isEncrypted(record)) throw new Fault("denied", "Cannot read the document: it is encrypted", { hint: ENCRYPTED });
  if (!packed) throw damaged(`its part ${JSON.stringify(name)} is not where its directory says`);
  if (packed.length < record.packedSize) throw damaged(`its part ${JSON.stringify(name)} is cut off`);
  const content = inflated(name, record.method, packed, room);
  if (crc32(content) !== record.crc) throw damaged(`the checksum of its part ${JSON.stringify(name)} is wrong`);
  return content;
}

function inflated(name: string, method: number, packed: Buffer, room: number): Buffer {
  if (method === STORED && packed.length <= room) return packed;
  if (method !== STORED && method !== DEFLATED)
    throw damaged(`its part ${JSON.stringify(name)} is packed in an unknown way`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, room) });
  } catch (error) {
    if (error instanceof RangeError || method === STORED)
      throw new Fault(
        "too_large",
        `Cannot read the document: it unpacks to more than ${LIMITS.documentUnpackedBytes} bytes`,
      );
    throw damaged(`its part ${JSON.stringify(name)} cannot be unpacked`);
  }
}

export const ENCRYPTED = "Ask the user for a copy without a password";

/** Says that a document cannot be read as what it claims to be. */
export const damaged = (reason: string): Fault =>
  new Fault("not_text", `Cannot read the document: ${reason}`, { hint: DAMAGED });

const DAMAGED = "The file is damaged: ask the user for another copy";

function decodeXml(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString("utf16le", 2);
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}
