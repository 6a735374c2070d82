import type { PictureEntry } from "../../../storage/picture-entries.ts";

/** Describes tracked files as git saw them last, by their paths below the repository. */
export type GitIndex = ReadonlyMap<string, { readonly size: number; readonly modifiedMs: number }>;

/**
 * Reads the index of a repository without running git. Returns null for a format that is not known: version 4
 * compresses names.
 */
export function readGitIndex(bytes: Uint8Array): GitIndex | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < HEADER_BYTES || buffer.toString("latin1", 0, 4) !== "DIRC") return null;
  const version = buffer.readUInt32BE(4);
  if (version !== 2 && version !== 3) return null;
  const index = new Map<string, { size: number; modifiedMs: number }>();
  let at = HEADER_BYTES;
  for (let left = buffer.readUInt32BE(8); left > 0; left--) {
    if (at + ENTRY.name > buffer.length) return null;
    const isExtended = version === 3 && (buffer.readUInt16BE(at + ENTRY.flags) & EXTENDED) !== 0;
    const start = at + ENTRY.name + (isExtended ? 2 : 0);
    const end = buffer.indexOf(0, start);
    if (end < 0) return null;
    const seconds = buffer.readUInt32BE(at + ENTRY.modified);
    const modifiedMs = seconds * 1000 + Math.floor(buffer.readUInt32BE(at + ENTRY.modified + 4) / 1e6);
    index.set(buffer.toString("utf8", start, end), { size: buffer.readUInt32BE(at + ENTRY.size), modifiedMs });
    // Entries are padded with one to eight NULs to a multiple of eight bytes.
    at += (end - at + 8) & ~7;
  }
  return index;
}

const HEADER_BYTES = 12;
const ENTRY = { modified: 8, size: 36, flags: 60, name: 62 };
const EXTENDED = 0x4000;

/** Checks that a file is as git has it, so that git can bring it back. */
export function isCleanIn(index: GitIndex, path: string, { kind, size, modifiedMs }: PictureEntry): boolean {
  const known = index.get(path);
  return kind === "file" && known?.size === size >>> 0 && known.modifiedMs === modifiedMs;
}
