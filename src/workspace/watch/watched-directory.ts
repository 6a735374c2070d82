import type { Watched } from "../../storage/storage.ts";
import { type PackedEntry, unpacked } from "../walk/packed-entries.ts";
import { type InodeId, unknownInode } from "./inode-id.ts";

/** A directory that is watched, and what was seen in it last. There may be tens of thousands: every field counts. */
export interface WatchedDirectory {
  parent: WatchedDirectory | null;
  name: string;
  readonly mark: InodeId;
  /** Undefined once it is watched no more. */
  watched: Watched | undefined;
  /** What is in it, once something has happened there. Before, it is what the next three say, in a quarter of the memory. */
  entries: Entries | undefined;
  /** What is not watched itself, packed. */
  leaves: string;
  /** One for each of the leaves, once they were looked at. */
  marks: readonly InodeId[] | undefined;
  branches: readonly WatchedDirectory[];
  /** How files looked that something has happened to already. */
  stamps: Map<string, number> | undefined;
}

/** By name: branches where directories are watched as well, marks of everything else. */
export type Entries = Map<string, WatchedDirectory | InodeId>;

export const NO_DIRECTORIES: readonly WatchedDirectory[] = [];

export const packedEntriesIn = ({ leaves }: WatchedDirectory): readonly PackedEntry[] => unpacked(leaves);

/** What is in a branch, to be looked up and changed. */
export function entriesOf(branch: WatchedDirectory): Entries {
  if (branch.entries) return branch.entries;
  const { marks, branches } = branch;
  const entries: Entries = new Map(
    packedEntriesIn(branch).map(({ name, kind }, nth) => [name, marks?.[nth] ?? unknownInode(kind)]),
  );
  for (const inner of branches) entries.set(inner.name, inner);
  return unfold(branch, entries);
}

/** From now on this is what is in a branch. */
export function unfold(branch: WatchedDirectory, entries: Entries): Entries {
  branch.entries = entries;
  branch.leaves = "";
  branch.marks = undefined;
  branch.branches = NO_DIRECTORIES;
  return entries;
}

/** The directories in a branch that are watched. */
export const directoriesIn = ({ entries, branches }: WatchedDirectory): readonly WatchedDirectory[] =>
  entries ? [...entries.values()].filter((each) => typeof each !== "number") : branches;
