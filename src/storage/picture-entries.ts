import type { Kind } from "./facts.ts";

/**
 * Holds the entries of a tree in one buffer: about 60 bytes for each instead of objects, since there may be hundreds of
 * thousands. A directory comes before its entries, which are sorted by name.
 */
export type PictureBytes = Uint8Array;

/** One entry of a tree as it was when a picture was taken. */
export interface PictureEntry {
  /** The path below the root. */
  readonly path: string;
  readonly kind: Kind;
  readonly size: number;
  readonly mode: number;
  readonly modifiedMs: number;
  readonly identity: string;
  /** Joins the nanosecond times of content and metadata. */
  readonly times: string;
  /** Is true for a directory that was not entered: nothing is known of what is in it. */
  readonly isClosed: boolean;
}

/**
 * Lays out a record: length of the name, depth below the root, mode, 1 for a directory that was not entered; then inode,
 * size, seconds and nanoseconds of the last change and modification, and both numbers of the device, as statx has them.
 * The name follows.
 */
export const RECORD = {
  nameLength: 0,
  depth: 2,
  mode: 4,
  isClosed: 6,
  inode: 8,
  size: 16,
  changed: 24,
  modified: 36,
  device: 48,
  name: 56,
} as const;

/** Reads records one after another. */
export interface PictureCursor {
  /** The depth of the record; -1 after the last one. */
  depth(): number;
  name(): string;
  isDirectory(): boolean;
  isClosed(): boolean;
  /** Compares all but the name with the record of another cursor. Of directories only the mode counts. */
  isSameAs(other: PictureCursor): boolean;
  entry(path: string): PictureEntry;
  next(): void;
  /** The bytes of the record without its name, for `isSameAs`. */
  raw(): Buffer;
}

export function createPictureCursor(bytes: PictureBytes): PictureCursor {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const mode = (): number => buffer.readUInt16LE(at + RECORD.mode);
  const isDirectory = (): boolean => (mode() & TYPE) === DIRECTORY;
  const cursor: PictureCursor = {
    depth: () => (at >= buffer.length ? -1 : buffer.readUInt16LE(at + RECORD.depth)),
    name: () => buffer.toString("utf8", at + RECORD.name, at + RECORD.name + buffer.readUInt16LE(at)),
    isDirectory,
    isClosed: () => buffer[at + RECORD.isClosed] === 1,
    isSameAs(other) {
      const [ours, theirs] = [cursor.raw(), other.raw()];
      const end = isDirectory() ? RECORD.inode : RECORD.name;
      return ours.compare(theirs, RECORD.mode, end, RECORD.mode, end) === 0;
    },
    entry: (path) => entryAt(buffer, at, path),
    next: () => void (at += RECORD.name + buffer.readUInt16LE(at)),
    raw: () => buffer.subarray(at, at + RECORD.name),
  };
  return cursor;
}

function entryAt(buffer: Buffer, at: number, path: string): PictureEntry {
  const mode = buffer.readUInt16LE(at + RECORD.mode);
  const [changed, modified] = [nanosecondsAt(buffer, at + RECORD.changed), nanosecondsAt(buffer, at + RECORD.modified)];
  const device = deviceOf(buffer.readUInt32LE(at + RECORD.device), buffer.readUInt32LE(at + RECORD.device + 4));
  return {
    path,
    kind: KINDS.get(mode & TYPE) ?? "other",
    size: Number(buffer.readBigUInt64LE(at + RECORD.size)),
    mode: mode & 0o7777,
    modifiedMs: Number(modified / 1_000_000n),
    identity: `${device}:${buffer.readBigUInt64LE(at + RECORD.inode)}`,
    times: `${modified}:${changed}`,
    isClosed: buffer[at + RECORD.isClosed] === 1,
  };
}

const nanosecondsAt = (buffer: Buffer, at: number): bigint =>
  buffer.readBigInt64LE(at) * 1_000_000_000n + BigInt(buffer.readUInt32LE(at + 8));

/** Joins the two numbers of a device as the C library of Linux does, whose result Node shows. */
const deviceOf = (major: number, minor: number): bigint =>
  BigInt(minor & 0xff) |
  (BigInt(major & 0xfff) << 8n) |
  (BigInt((minor & ~0xff) >>> 0) << 12n) |
  (BigInt((major & ~0xfff) >>> 0) << 32n);

/** Reverses `deviceOf`. */
export const deviceNumbers = (device: bigint): readonly [major: number, minor: number] => [
  Number(((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n)),
  Number((device & 0xffn) | ((device >> 12n) & 0xffffff00n)),
];

const TYPE = 0o170000;
const DIRECTORY = 0o040000;
const KINDS: ReadonlyMap<number, Kind> = new Map<number, Kind>([
  [0o100000, "file"],
  [DIRECTORY, "directory"],
  [0o120000, "symlink"],
]);

/** Yields all entries with their paths below the root. */
export function* entriesOfPicture(bytes: PictureBytes): Generator<PictureEntry> {
  const names: string[] = [];
  const cursor = createPictureCursor(bytes);
  for (let depth = cursor.depth(); depth >= 0; depth = cursor.depth()) {
    names.length = depth;
    names.push(cursor.name());
    yield cursor.entry(names.join("/"));
    cursor.next();
  }
}
