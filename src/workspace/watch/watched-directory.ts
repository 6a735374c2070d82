import type { WatchHandle } from "../../storage/storage.ts";
import { type PackedEntry, unpackEntries } from "../walk/packed-entries.ts";
import { type InodeId, unknownInode } from "./inode-id.ts";

/** A watched directory with its last known entries. There may be tens of thousands, so every field costs memory. */
export interface WatchedDirectory {
  parent: WatchedDirectory | null;
  name: string;
  readonly inodeId: InodeId;
  /** Is undefined once the watch of the directory has ended. */
  watch: WatchHandle | undefined;
  /**
   * Holds the entries once something has changed in the directory. Before that, they are in the next three fields, in a
   * quarter of the memory.
   */
  entries: WatchedEntries | undefined;
  /** Holds the entries that are not watched directories, packed. */
  packedEntries: string;
  /** Holds one id for each packed entry, once they were indexed. */
  packedInodeIds: readonly InodeId[] | undefined;
  directories: readonly WatchedDirectory[];
  /** Holds the content stamps of files that have changed since the watch began. */
  contentStamps: Map<string, number> | undefined;
}

/** Maps names to watched directories, and to inode ids for all other entries. */
export type WatchedEntries = Map<string, WatchedDirectory | InodeId>;

export const NO_DIRECTORIES: readonly WatchedDirectory[] = [];

export const packedEntriesIn = ({ packedEntries }: WatchedDirectory): readonly PackedEntry[] =>
  unpackEntries(packedEntries);

/** Returns the entries of a directory as a mutable map; unpacks them at the first call. */
export function entriesOf(node: WatchedDirectory): WatchedEntries {
  if (node.entries) return node.entries;
  const { packedInodeIds, directories } = node;
  const entries: WatchedEntries = new Map(
    packedEntriesIn(node).map(({ name, kind }, nth) => [name, packedInodeIds?.[nth] ?? unknownInode(kind)]),
  );
  for (const inner of directories) entries.set(inner.name, inner);
  return setEntries(node, entries);
}

/** Replaces the entries of a directory, and drops the packed ones. */
export function setEntries(node: WatchedDirectory, entries: WatchedEntries): WatchedEntries {
  node.entries = entries;
  node.packedEntries = "";
  node.packedInodeIds = undefined;
  node.directories = NO_DIRECTORIES;
  return entries;
}

/** Returns the watched directories in a directory. */
export const watchedChildren = ({ entries, directories }: WatchedDirectory): readonly WatchedDirectory[] =>
  entries ? [...entries.values()].filter((each) => typeof each !== "number") : directories;
