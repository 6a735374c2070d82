import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { Archive } from "../../../content/archives/archive.ts";
import type { ArchiveEntry } from "../../../content/archives/archive-entry.ts";
import type { ByteSource } from "../../../content/byte-source.ts";

/** Holds unpacked files, and the directories that the archive lists. */
export interface Unpacked {
  readonly files: readonly UnpackedFile[];
  readonly directories: readonly string[];
}

export interface UnpackedFile {
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode: number;
}

/** Unpacks entries into memory. Their sizes were added up before, and each is checked while it is unpacked. */
export async function contentsOf(
  archive: Archive,
  source: ByteSource,
  entries: readonly ArchiveEntry[],
  checkpoint: Checkpoint,
): Promise<Unpacked> {
  const files: UnpackedFile[] = [];
  for (const entry of entries.filter(({ kind }) => kind === "file")) {
    await checkpoint();
    const chunks: Uint8Array[] = [];
    for await (const chunk of archive.bytesOf(source, entry)) chunks.push(chunk);
    files.push({ path: entry.path, content: Buffer.concat(chunks), mode: usableMode(entry.mode) });
  }
  return { files, directories: entries.filter(({ kind }) => kind === "directory").map(({ path }) => path) };
}

/** Keeps what the usual mask of a user keeps, and lets the owner read and write. */
const usableMode = (mode: number): number => (mode & 0o755) | 0o600;
