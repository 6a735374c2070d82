import { inflateRawSync } from "node:zlib";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";

/** A part of a zipped document, as the directory at the end of the file describes it. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packedBytes: number;
  readonly bytes: number;
  /** The offset of its local header. */
  readonly offset: number;
}

/** Says where the directory of a zip file is. */
export interface ZipDirectory {
  readonly offset: number;
  readonly length: number;
  readonly entries: number;
}

/** The most bytes that the record at the end of a zip file takes: it may carry a comment. */
export const ZIP_END_BYTES = 22 + 0xffff;

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;

/** Finds the directory by the record that ends the file. Returns undefined where there is none; zip64 has none here. */
export function zipDirectoryIn(tail: Buffer): ZipDirectory | undefined {
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END) continue;
    const entries = tail.readUInt16LE(at + 10);
    return { entries, length: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) };
  }
  return undefined;
}

/** Parses the directory. Refuses one that is damaged, or has too many entries. */
export function parseZipDirectory(bytes: Buffer): readonly ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 46 <= bytes.length && bytes.readUInt32LE(at) === ENTRY;) {
    const nameBytes = bytes.readUInt16LE(at + 28);
    const next = at + 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (next > bytes.length) throw damaged("its directory is cut off");
    entries.push({
      name: bytes.toString("utf8", at + 46, at + 46 + nameBytes),
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      packedBytes: bytes.readUInt32LE(at + 20),
      bytes: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    });
    if (entries.length > LIMITS.documentEntries)
      throw new Fault("too_large", `Cannot read the document: it has more than ${LIMITS.documentEntries} parts`);
    at = next;
  }
  return entries;
}

/** The parts of a zipped document by name. */
export interface ZipFile {
  readonly names: readonly string[];
  has(name: string): boolean;
  bytes(name: string): Buffer;
  /** Returns the text of a part, or an empty text where there is none. */
  text(name: string): string;
}

/** Opens a zipped document. All that is unpacked counts, whatever its directory says. */
export function openZip(bytes: Uint8Array): ZipFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const directory = zipDirectoryIn(file.subarray(Math.max(0, file.length - ZIP_END_BYTES)));
  if (!directory) throw damaged("the end of the file is missing");
  const listed = parseZipDirectory(file.subarray(directory.offset, directory.offset + directory.length));
  const entries = new Map(listed.map((entry) => [entry.name, entry]));
  let room: number = LIMITS.documentUnpackedBytes;
  const unpack = (name: string): Buffer => {
    const entry = entries.get(name);
    if (!entry) throw damaged(`its part ${JSON.stringify(name)} is missing`);
    const content = unpacked(file, entry, room);
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
export function checkUnpackedSize(bytes: Uint8Array): void {
  const zip = openZip(bytes);
  if (bytes.length * DEFLATE_RATIO > LIMITS.documentUnpackedBytes) for (const name of zip.names) zip.bytes(name);
}

/** The most bytes that deflate can pack into one. */
const DEFLATE_RATIO = 1032;

function unpacked(file: Buffer, entry: ZipEntry, room: number): Buffer {
  const { name, offset, method, packedBytes, isEncrypted } = entry;
  if (isEncrypted) throw new Fault("denied", "Cannot read the document: it is encrypted", { hint: ENCRYPTED });
  if (offset + 30 > file.length || file.readUInt32LE(offset) !== LOCAL)
    throw damaged(`its part ${JSON.stringify(name)} is not where its directory says`);
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  const packed = file.subarray(start, start + packedBytes);
  if (packed.length < packedBytes) throw damaged(`its part ${JSON.stringify(name)} is cut off`);
  if (method === 0 && packed.length <= room) return packed;
  if (method !== 0 && method !== 8) throw damaged(`its part ${JSON.stringify(name)} is packed in an unknown way`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, room) });
  } catch (error) {
    if (error instanceof RangeError || method === 0)
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
