import { LIMITS } from "../../base/limits.ts";
import type { HeldDirectory } from "../../storage/storage.ts";
import { type Branch, branchesIn, leavesIn } from "./watched-directory.ts";
import { type Mark, markOf, unknownMark } from "./inode-id.ts";
import { reached, type Tree } from "./watched-tree.ts";

/**
 * Learns which objects the names stand for, so that they are known again under other names. To look at every file costs
 * more than to watch them all, so it is done in the background, the nearest first, and only for so many.
 */
export async function learn(tree: Tree): Promise<void> {
  let left: number = LIMITS.learntFiles;
  let level = tree.root ? [tree.root] : [];
  while (level.length > 0) {
    for (const branch of level) {
      if (left <= 0) return;
      left -= await learnBranch(tree, branch);
    }
    level = level.flatMap(branchesIn);
  }
}

/** What something has happened to is known already. Gives how many files were looked at. */
async function learnBranch(tree: Tree, branch: Branch): Promise<number> {
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

async function marksIn({ view }: Tree, branch: Branch, directory: HeldDirectory): Promise<readonly Mark[]> {
  const marks: Mark[] = [];
  for (const leaf of leavesIn(branch)) {
    const pause = view.breathe();
    if (pause) await pause;
    const facts = directory.look(leaf);
    marks.push(facts?.kind === leaf.kind ? markOf(facts) : unknownMark(leaf.kind));
  }
  // Without the room that a growing list has.
  return marks.slice();
}
