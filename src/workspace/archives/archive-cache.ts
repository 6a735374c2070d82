import { LIMITS } from "../../base/limits.ts";
import { nameIn } from "../../base/paths.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import type { Facts, OpenFile } from "../../storage/storage.ts";
import type { ArchiveTree } from "./archive-tree.ts";

/** Lists archives, and keeps the last ones while the files have the same inode, size and times. */
export interface ArchiveCache {
  /** Returns undefined for a file that is not an archive. */
  treeOf(file: OpenFile, checkpoint: Checkpoint): Promise<ArchiveTree | undefined>;
}

export function createArchiveCache(): ArchiveCache {
  const trees = new Map<string, ArchiveTree>();
  let timer: NodeJS.Timeout | undefined;
  const remember = (key: string, tree: ArchiveTree): void => {
    trees.delete(key);
    trees.set(key, tree);
    for (const oldest of trees.keys()) {
      if (oldest === key || !isFull(trees)) break;
      trees.delete(oldest);
    }
    clearTimeout(timer);
    timer = setTimeout(() => trees.clear(), LIMITS.archiveCacheMs).unref();
  };
  return {
    async treeOf(file, checkpoint) {
      const key = keyOf(file.facts);
      const tree = trees.get(key) ?? (await listed(file, checkpoint));
      if (tree) remember(key, tree);
      return tree;
    },
  };
}

const keyOf = ({ identity, size, times }: Facts): string => `${identity}:${size}:${times}`;

const isFull = (trees: ReadonlyMap<string, ArchiveTree>): boolean =>
  trees.size > LIMITS.archivesCached ||
  [...trees.values()].reduce((sum, { archive }) => sum + archive.entries.length, 0) > LIMITS.archiveEntriesCached;

/** Loads the readers when the first archive is opened. */
async function listed(file: OpenFile, checkpoint: Checkpoint): Promise<ArchiveTree | undefined> {
  const { openArchive } = await import("../../content/archives/archive.ts");
  const { treeOf } = await import("./archive-tree.ts");
  const archive = await openArchive(sourceOfArchive(file), nameIn(file.facts.path), checkpoint);
  return archive && treeOf(archive);
}

/** Reads the bytes of an open file. */
export const sourceOfArchive = (file: OpenFile) => ({
  size: file.facts.size,
  read: (into: Uint8Array, position: number) => file.read(into, position),
});
