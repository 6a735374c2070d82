import { LIMITS } from "../../base/limits.ts";
import type { DirectoryHandle } from "../../storage/storage.ts";
import { type WatchedDirectory, directoriesIn, packedEntriesIn } from "./watched-directory.ts";
import { type InodeId, inodeIdOf, unknownInode } from "./inode-id.ts";
import { reached, type WatchedTree } from "./watched-tree.ts";

/**
 * Learns which objects the names stand for, so that they are known again under other names. To look at every file costs
 * more than to watch them all, so it is done in the background, the nearest first, and only for so many.
 */
export async function indexInodes(tree: WatchedTree): Promise<void> {
  let left: number = LIMITS.learntFiles;
  let level = tree.root ? [tree.root] : [];
  while (level.length > 0) {
    for (const branch of level) {
      if (left <= 0) return;
      left -= await indexDirectory(tree, branch);
    }
    level = level.flatMap(directoriesIn);
  }
}

/** What something has happened to is known already. Gives how many files were looked at. */
async function indexDirectory(tree: WatchedTree, branch: WatchedDirectory): Promise<number> {
  if (branch.leaves === "") return 0;
  const directory = await reached(tree, branch);
  if (!directory) return 0;
  try {
    const marks = await marksIn(tree, branch, directory);
    if (!branch.entries) branch.marks = marks;
    return marks.length;
  } finally {
    directory.close();
  }
}

async function marksIn(
  { view }: WatchedTree,
  branch: WatchedDirectory,
  directory: DirectoryHandle,
): Promise<readonly InodeId[]> {
  const marks: InodeId[] = [];
  for (const leaf of packedEntriesIn(branch)) {
    const pause = view.checkpoint();
    if (pause) await pause;
    const facts = directory.look(leaf);
    marks.push(facts?.kind === leaf.kind ? inodeIdOf(facts) : unknownInode(leaf.kind));
  }
  // Without the room that a growing list has.
  return marks.slice();
}
