import { Fault } from "../../../base/errors.ts";
import type { Archive } from "../../../content/archives/archive.ts";
import type { ArchiveEntry } from "../../../content/archives/archive-entry.ts";
import type { Facts } from "../../../storage/storage.ts";
import type { StreamedEntry, StreamedTree } from "../../../storage/writer.ts";
import { sourceOfArchive } from "../../../workspace/archives/archive-cache.ts";
import type { View } from "../../../workspace/view.ts";
import { pathsAbove } from "./selection.ts";

interface Unpackable {
  readonly archive: Archive;
  /** Describes the archive as it was listed. */
  readonly facts: Facts;
  readonly path: string;
  readonly entries: readonly ArchiveEntry[];
}

/** Describes what is unpacked as a tree. The archive is opened again when its contents are read, and must be the same. */
export function unpackableTree(view: View, { archive, facts, path, entries }: Unpackable): StreamedTree {
  const files = entries.filter(({ kind }) => kind === "file").toSorted((one, other) => one.offset - other.offset);
  const byPath = new Map(files.map((file) => [file.path as string, file]));
  return {
    source: `${facts.path} ${stampOf(facts)}`,
    entries: [...directoriesAmong(entries), ...withoutRepeats(archive, files)],
    withContents: (use) =>
      view.withFile(path, async (file) => {
        if (stampOf(file.facts) !== stampOf(facts)) throw changedFault(path);
        const streams = archive.inOrder(sourceOfArchive(file));
        try {
          return await use((entry) => streams.bytesOf(byPath.get(entry.path) as ArchiveEntry));
        } finally {
          await streams.end();
        }
      }),
  };
}

/** Returns a text that differs once a file was written to or replaced. */
export const stampOf = ({ identity, size, times }: Facts): string => `${identity}:${size}:${times}`;

export const changedFault = (path: string): Fault =>
  new Fault("stale", `Cannot read ${JSON.stringify(path)}: it was changed meanwhile`, { path });

/** Lists all directories, also those that the archive only implies; outer ones first. */
function directoriesAmong(entries: readonly ArchiveEntry[]): readonly StreamedEntry[] {
  const found = new Map<string, StreamedEntry>([["", { path: "", kind: "directory" }]]);
  for (const { path, kind, mode, modifiedMs } of entries) {
    for (const above of pathsAbove(path)) if (!found.has(above)) found.set(above, { path: above, kind: "directory" });
    if (kind === "directory") found.set(path, { path, kind, mode: (mode & KEPT_MODE) | 0o700, modifiedMs });
  }
  return [...found.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Keeps what the usual mask of a user keeps. Owners can always use what is theirs. */
const KEPT_MODE = 0o755;

/** Copies a file that is in a tar under two names, instead of going back for it. */
function withoutRepeats({ format }: Archive, files: readonly ArchiveEntry[]): readonly StreamedEntry[] {
  const first = new Map<number, string>();
  return files.map(({ path, size, mode, modifiedMs, offset }) => {
    const copyOf = format !== "zip" && size > 0 ? first.get(offset) : undefined;
    if (copyOf === undefined) first.set(offset, path);
    return { path, kind: "file", size, mode: (mode & KEPT_MODE) | 0o600, modifiedMs, copyOf };
  });
}
