import { LIMITS } from "../../base/limits.ts";
import type { DirectoryHandle } from "../../storage/storage.ts";
import { type WatchedDirectory, watchedChildren, packedEntriesIn } from "./watched-directory.ts";
import { type InodeId, inodeIdOf, unknownInode } from "./inode-id.ts";
import { openWatched, type WatchedTree } from "./watched-tree.ts";

/**
 * Learns which objects the names stand for, so that they are known again under other names. To look at every file costs
 * more than to watch them all, so it is done in the background, the nearest first, and only for so many.
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

/** What something has happened to is known already. Gives how many files were looked at. */
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
  for (const leaf of packedEntriesIn(node)) {
    const pause = view.checkpoint();
    if (pause) await pause;
    const facts = directory.stat(leaf);
    inodeIds.push(facts?.kind === leaf.kind ? inodeIdOf(facts) : unknownInode(leaf.kind));
  }
  // Without the room that a growing list has.
  return inodeIds.slice();
}
