import type { BigIntStats } from "node:fs";
import { deviceNumbers, RECORD } from "../../picture-entries.ts";

/** Writes the records of a picture into a buffer that grows. */
export interface Encoder {
  /** Adds an entry by its `struct statx`; returns the offset of its record. */
  addStatx(depth: number, name: string, statx: Buffer): number;
  addStats(depth: number, name: string, stats: BigIntStats): number;
  isDirectory(at: number): boolean;
  /** Returns whether a record is of this device. */
  isOn(at: number, device: bigint): boolean;
  /** Notes that a directory was not entered. */
  markClosed(at: number): void;
  count(): number;
  bytes(): Buffer;
}

export function createEncoder(): Encoder {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;
  let count = 0;
  const begin = (depth: number, name: string): number => {
    const at = length;
    if (at + RECORD.name + MAX_NAME_BYTES > buffer.length) buffer = Buffer.concat([buffer], buffer.length * GROWTH);
    const nameLength = buffer.write(name, at + RECORD.name);
    buffer.writeUInt16LE(nameLength, at + RECORD.nameLength);
    buffer.writeUInt16LE(depth, at + RECORD.depth);
    buffer.writeUInt16LE(0, at + RECORD.isClosed);
    length = at + RECORD.name + nameLength;
    count++;
    return at;
  };
  return {
    addStatx(depth, name, statx) {
      const at = begin(depth, name);
      for (const [to, from, bytes] of FIELDS) copyBytes(statx, from, buffer, at + to, bytes);
      return at;
    },
    addStats(depth, name, { mode, ino, size, ctimeNs, mtimeNs, dev }) {
      const at = begin(depth, name);
      buffer.writeUInt16LE(Number(mode & 0xffffn), at + RECORD.mode);
      buffer.writeBigUInt64LE(ino, at + RECORD.inode);
      buffer.writeBigUInt64LE(size, at + RECORD.size);
      writeTime(buffer, ctimeNs, at + RECORD.changed);
      writeTime(buffer, mtimeNs, at + RECORD.modified);
      deviceNumbers(dev).forEach((number, nth) => buffer.writeUInt32LE(number, at + RECORD.device + 4 * nth));
      return at;
    },
    isDirectory: (at) => (buffer.readUInt16LE(at + RECORD.mode) & 0o170000) === 0o040000,
    isOn(at, device) {
      const [major, minor] = deviceNumbers(device);
      const own = at + RECORD.device;
      return buffer.readUInt32LE(own) === major && buffer.readUInt32LE(own + 4) === minor;
    },
    markClosed: (at) => void buffer.writeUInt16LE(1, at + RECORD.isClosed),
    count: () => count,
    bytes: () => buffer.subarray(0, length),
  };
}

const FIRST_BYTES = 65_536;
const GROWTH = 2;
/** The longest name that a file can have, in three bytes for each character on disks that count those. */
const MAX_NAME_BYTES = 255 * 3;

/** Lists where fields are in a record and in `struct statx`, which is the same on every machine, and how long they are. */
const FIELDS: readonly (readonly [to: number, from: number, length: number])[] = [
  [RECORD.mode, 0x1c, 2],
  [RECORD.inode, 0x20, 16],
  [RECORD.changed, 0x60, 12],
  [RECORD.modified, 0x70, 12],
  [RECORD.device, 0x88, 8],
];

/** Copies a few bytes, which is faster here than `Buffer.copy`. */
function copyBytes(source: Buffer, from: number, target: Buffer, to: number, length: number): void {
  for (let nth = 0; nth < length; nth++) target[to + nth] = source[from + nth] as number;
}

function writeTime(buffer: Buffer, nanoseconds: bigint, at: number): void {
  const rest = ((nanoseconds % SECOND) + SECOND) % SECOND;
  buffer.writeBigInt64LE((nanoseconds - rest) / SECOND, at);
  buffer.writeUInt32LE(Number(rest), at + 8);
}

const SECOND = 1_000_000_000n;
