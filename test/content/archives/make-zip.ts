import { crc32, deflateRawSync } from "node:zlib";

/** Describes an entry of a zip that is made byte by byte. What is absent is honest. */
export interface ZipPart {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  /** Holds the whole mode of Unix, with the type of the file. */
  readonly mode?: number;
  /** Declares another size, packed size, checksum, offset or local name than the true one. */
  readonly size?: number;
  readonly packedSize?: number;
  readonly crc?: number;
  readonly offset?: number;
  readonly localName?: string;
  /** Writes sizes and offset as 64-bit fields. */
  readonly isWide?: boolean;
}

interface ZipOptions {
  /** Puts bytes where the end record does not expect them. */
  readonly between?: Uint8Array;
  readonly comment?: string;
  /** Declares another number of entries. */
  readonly count?: number;
  /** Declares another place of the central directory. */
  readonly at?: number;
  /** Writes the end record with 64-bit fields. */
  readonly isWide?: boolean;
}

/** Makes a zip of these parts. */
export function makeZip(parts: readonly ZipPart[], options: ZipOptions = {}): Buffer {
  const chunks: Buffer[] = [];
  const records: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const local = localEntry(part);
    records.push(centralRecord(part, part.offset ?? at));
    chunks.push(local);
    at += local.length;
  }
  const central = Buffer.concat(records);
  const end = endRecords({ at: options.at ?? at, size: central.length, count: options.count ?? parts.length }, options);
  return Buffer.concat([...chunks, Buffer.from(options.between ?? []), central, end]);
}

function localEntry(part: ZipPart): Buffer {
  const { packed, size, crc, method } = fieldsOf(part);
  const name = Buffer.from(part.localName ?? part.name);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(part.flags ?? 0x800, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt16LE(0x5a21, 12);
  head.writeUInt32LE(crc, 14);
  head.writeUInt32LE(part.isWide ? 0xffffffff : packed.length, 18);
  head.writeUInt32LE(part.isWide ? 0xffffffff : size, 22);
  head.writeUInt16LE(name.length, 26);
  const extra = part.isWide ? wideExtra([size, packed.length]) : Buffer.alloc(0);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, name, extra, packed]);
}

function centralRecord(part: ZipPart, offset: number): Buffer {
  const { packed, size, crc, method } = fieldsOf(part);
  const packedSize = part.packedSize ?? packed.length;
  const name = Buffer.from(part.name);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(0x031e, 4);
  head.writeUInt16LE(part.flags ?? 0x800, 8);
  head.writeUInt16LE(method, 10);
  head.writeUInt16LE(0x5a21, 14);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(part.isWide ? 0xffffffff : packedSize, 20);
  head.writeUInt32LE(part.isWide ? 0xffffffff : size, 24);
  head.writeUInt16LE(name.length, 28);
  const extra = part.isWide ? wideExtra([size, packedSize, offset]) : Buffer.alloc(0);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE(((part.mode ?? 0o100644) << 16) >>> 0, 38);
  head.writeUInt32LE(part.isWide ? 0xffffffff : offset, 42);
  return Buffer.concat([head, name, extra]);
}

function fieldsOf({ content = "", method = 8, size, crc }: ZipPart) {
  const bytes = Buffer.from(content);
  const packed = method === 8 ? deflateRawSync(bytes) : bytes;
  return { packed, size: size ?? bytes.length, crc: crc ?? crc32(bytes), method };
}

function wideExtra(numbers: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + numbers.length * 8);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(numbers.length * 8, 2);
  numbers.forEach((number, nth) => extra.writeBigUInt64LE(BigInt(number), 4 + nth * 8));
  return extra;
}

interface Central {
  readonly at: number;
  readonly size: number;
  readonly count: number;
}

function endRecords({ at, size, count }: Central, { isWide, comment = "" }: ZipOptions): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(isWide ? 0xffff : count, 8);
  end.writeUInt16LE(isWide ? 0xffff : count, 10);
  end.writeUInt32LE(isWide ? 0xffffffff : size, 12);
  end.writeUInt32LE(isWide ? 0xffffffff : at, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  const short = Buffer.concat([end, Buffer.from(comment)]);
  if (!isWide) return short;
  const wide = Buffer.alloc(76);
  wide.writeUInt32LE(0x06064b50, 0);
  wide.writeBigUInt64LE(44n, 4);
  wide.writeBigUInt64LE(BigInt(count), 24);
  wide.writeBigUInt64LE(BigInt(count), 32);
  wide.writeBigUInt64LE(BigInt(size), 40);
  wide.writeBigUInt64LE(BigInt(at), 48);
  wide.writeUInt32LE(0x07064b50, 56);
  wide.writeBigUInt64LE(BigInt(at + size), 64);
  wide.writeUInt32LE(1, 72);
  return Buffer.concat([wide, short]);
}
