import { LIMITS } from "../../base/limits.ts";
import type { DirectoryHandle } from "../../storage/storage.ts";
import { type WatchedDirectory, watchedChildren, packedEntriesIn } from "./watched-directory.ts";
import { type InodeId, inodeIdOf, unknownInode } from "./inode-id.ts";
import { openWatched, type WatchedTree } from "./watched-tree.ts";

/**
 * Records the inode ids of files, so that renames can be matched. To stat every file costs more than to watch all
 * directories, so this runs in the background, breadth first, and up to a limit.
 */
export async function indexInodes(tree: WatchedTree): Promise<void> {
  let left: number = LIMITS.indexedFiles;
  let level = tree.root ? [tree.root] : [];
  while (level.length > 0) {
    for (const node of level) {
      if (left <= 0) return;
      left -= await indexDirectory(tree, node);
    }
    level = level.flatMap(watchedChildren);
  }
}

/** Skips a directory that was reconciled meanwhile, since its ids are known. Returns the number of files stat'ed. */
async function indexDirectory(tree: WatchedTree, node: WatchedDirectory): Promise<number> {
  if (node.packedEntries === "") return 0;
  const directory = await openWatched(tree, node);
  if (!directory) return 0;
  try {
    const inodeIds = await inodeIdsIn(tree, node, directory);
    if (!node.entries) node.packedInodeIds = inodeIds;
    return inodeIds.length;
  } finally {
    directory.close();
  }
}

async function inodeIdsIn(
  { view }: WatchedTree,
  node: WatchedDirectory,
  directory: DirectoryHandle,
): Promise<readonly InodeId[]> {
  const inodeIds: InodeId[] = [];
  for (const entry of packedEntriesIn(node)) {
    const pause = view.checkpoint();
    if (pause) await pause;
    const facts = directory.stat(entry);
    inodeIds.push(facts?.kind === entry.kind ? inodeIdOf(facts) : unknownInode(entry.kind));
  }
  // A copy has no spare capacity, unlike an array that grew by push.
  return inodeIds.slice();
}
