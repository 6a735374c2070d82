import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import type { Checkpoint } from "../../base/time-slicing.ts";
import type { PackedEntry } from "./archive-entry.ts";

/** Writes a zip without 64-bit fields: callers pack far fewer entries and bytes than would need them. */
export async function packZip(entries: readonly PackedEntry[], checkpoint: Checkpoint): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    await checkpoint();
    const { local, packed, record } = await partsOf(entry, offset);
    chunks.push(local, packed);
    records.push(record);
    offset += local.length + packed.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...chunks, directory, end]);
}

interface ZipParts {
  readonly local: Buffer;
  readonly packed: Buffer;
  readonly record: Buffer;
}

async function partsOf({ path, kind, content, mode, modifiedMs }: PackedEntry, offset: number): Promise<ZipParts> {
  const isDirectory = kind === "directory";
  const name = Buffer.from(isDirectory ? `${path}/` : path);
  const deflated = content.length > 0 ? await promisify<Uint8Array, Buffer>(deflateRaw)(content) : Buffer.alloc(0);
  const isSmaller = deflated.length < content.length;
  const packed = isSmaller ? deflated : Buffer.from(content.buffer, content.byteOffset, content.length);
  /** Holds the fields that both headers have, from the version that is needed on. */
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(UTF8_NAMES, 2);
  fields.writeUInt16LE(isSmaller ? 8 : 0, 4);
  fields.writeUInt32LE(dosTimeOf(modifiedMs), 6);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE((((isDirectory ? 0o40000 : 0o100000) | mode) << 16) >>> 0, 6);
  rest.writeUInt32LE(offset, 10);
  return {
    local: Buffer.concat([LOCAL, fields, name]),
    packed,
    record: Buffer.concat([CENTRAL, MADE_ON_UNIX, fields, rest, name]),
  };
}

const LOCAL = Buffer.from([0x50, 0x4b, 3, 4]);
const CENTRAL = Buffer.from([0x50, 0x4b, 1, 2]);
const MADE_ON_UNIX = Buffer.from([20, 3]);
const UTF8_NAMES = 0x800;

/** Converts a time to the form of DOS, in UTC and in steps of two seconds; times before 1980 become its first day. */
function dosTimeOf(modifiedMs: number): number {
  const time = new Date(Math.min(Math.max(modifiedMs, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31)));
  const date = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return ((date << 16) | clock) >>> 0;
}
