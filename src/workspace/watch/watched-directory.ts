import type { WatchHandle } from "../../storage/storage.ts";
import { type PackedEntry, unpackEntries } from "../walk/packed-entries.ts";
import { type InodeId, unknownInode } from "./inode-id.ts";

/** A directory that is watched, and what was seen in it last. There may be tens of thousands: every field counts. */
export interface WatchedDirectory {
  parent: WatchedDirectory | null;
  name: string;
  readonly inodeId: InodeId;
  /** Undefined once it is watched no more. */
  watch: WatchHandle | undefined;
  /** What is in it, once something has happened there. Before, it is what the next three say, in a quarter of the memory. */
  entries: WatchedEntries | undefined;
  /** What is not watched itself, packed. */
  packedEntries: string;
  /** One for each of the leaves, once they were looked at. */
  packedInodeIds: readonly InodeId[] | undefined;
  directories: readonly WatchedDirectory[];
  /** How files looked that something has happened to already. */
  contentStamps: Map<string, number> | undefined;
}

/** By name: branches where directories are watched as well, marks of everything else. */
export type WatchedEntries = Map<string, WatchedDirectory | InodeId>;

export const NO_DIRECTORIES: readonly WatchedDirectory[] = [];

export const packedEntriesIn = ({ packedEntries }: WatchedDirectory): readonly PackedEntry[] =>
  unpackEntries(packedEntries);

/** What is in a branch, to be looked up and changed. */
export function entriesOf(node: WatchedDirectory): WatchedEntries {
  if (node.entries) return node.entries;
  const { packedInodeIds, directories } = node;
  const entries: WatchedEntries = new Map(
    packedEntriesIn(node).map(({ name, kind }, nth) => [name, packedInodeIds?.[nth] ?? unknownInode(kind)]),
  );
  for (const inner of directories) entries.set(inner.name, inner);
  return setEntries(node, entries);
}

/** From now on this is what is in a branch. */
export function setEntries(node: WatchedDirectory, entries: WatchedEntries): WatchedEntries {
  node.entries = entries;
  node.packedEntries = "";
  node.packedInodeIds = undefined;
  node.directories = NO_DIRECTORIES;
  return entries;
}

/** The directories in a branch that are watched. */
export const watchedChildren = ({ entries, directories }: WatchedDirectory): readonly WatchedDirectory[] =>
  entries ? [...entries.values()].filter((each) => typeof each !== "number") : directories;
