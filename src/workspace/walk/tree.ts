import { LIMITS } from "../../base/limits.ts";
import type { Entry } from "../../storage/storage.ts";
import { packed } from "./packed-entries.ts";
import type { View } from "../view.ts";
import { type Visited, walk, type WalkOptions } from "./walk.ts";

export interface TreeOptions extends Pick<WalkOptions, "exclude" | "includeIgnored" | "includeHidden"> {
  readonly depth: number;
  /** Entries shown at most. */
  readonly limit: number;
}

/** A directory of a tree. There may be a hundred thousand: every field counts. */
export interface TreeDirectory {
  readonly name: string;
  /** Its name is not valid UTF-8: nothing can open it. */
  readonly isRaw: boolean;
  /** Its directories by name; undefined while it is not opened. They come before the leaves. */
  branches: readonly TreeDirectory[] | undefined;
  /** Everything else by name, packed, and how many that are. */
  leaves: string;
  leafCount: number;
  /** How many of its own are shown: the first ones. */
  shown: number;
  /** Entries below it, as far as they are known. */
  weight: number;
  /** Why it was not opened. */
  closed: "depth" | "room" | "denied" | undefined;
}

export interface Tree {
  readonly top: TreeDirectory;
  readonly shown: number;
  /** Entries met, shown or folded. */
  readonly total: number;
  /** Every directory that may be opened was: `total` is all there is to see. */
  readonly complete: boolean;
}

/**
 * Looks at several times what is shown, level by level, to know what is heavy; then shows what is near and light
 * first, so that one huge directory cannot crowd out the rest.
 */
export async function growTree(view: View, path: string, wish: TreeOptions): Promise<Tree> {
  const top = branchOf({ name: path });
  const grown = new Map<Entry | undefined, TreeDirectory>([[undefined, top]]);
  let left = Math.max(wish.limit * LIMITS.treeLook, LIMITS.treeLookLeast);
  const order = wish.limit < LIMITS.treeNear ? "near" : "deep";
  const enters = (_: string, depth: number) => depth < wish.depth;
  const walked = await walk(view, path, { ...wish, order, enters, leads: { depth: wish.depth } }, (directory) => {
    addTo(grown, directory);
    // A huge directory must not use up what others need to be seen at all.
    left -= Math.min(directory.entries.length, LIMITS.treeLookEach) + 1;
    return left > 0;
  });
  const unopened = left <= 0 || walked.stopped ? "room" : "denied";
  const isComplete = settle(top, 0, { depth: wish.depth, unopened });
  const shown = top.weight <= wish.limit ? top.weight : unfold(top, wish.limit);
  return { top, shown, total: top.weight, complete: isComplete };
}

const branchOf = ({ name, raw }: Pick<Entry, "name" | "raw">): TreeDirectory => ({
  name,
  isRaw: raw !== undefined,
  branches: undefined,
  leaves: "",
  leafCount: 0,
  shown: 0,
  weight: 0,
  closed: undefined,
});

/** Written for speed: a tree may have a million entries. */
function addTo(grown: Map<Entry | undefined, TreeDirectory>, { entry, entries }: Visited): void {
  const branch = grown.get(entry) as TreeDirectory;
  grown.delete(entry);
  const branches: TreeDirectory[] = [];
  const leaves: Entry[] = [];
  for (const each of entries) {
    if (each.kind !== "directory") leaves.push(each);
    else {
      const child = branchOf(each);
      grown.set(each, child);
      branches.push(child);
    }
  }
  // Not sorted in place: a list that has grown holds room for more.
  branch.branches = branches.length > 0 ? branches.toSorted(byName) : NONE;
  branch.leaves = packed(leaves.toSorted(byName));
  branch.leafCount = leaves.length;
}

const NONE: readonly TreeDirectory[] = [];

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);

interface Unopened {
  readonly depth: number;
  /** Why a directory that is near enough was not opened. */
  readonly unopened: "room" | "denied";
}

/** Weighs a branch and all below it, and says why some were not opened. Whether all there is to see was seen. */
function settle(branch: TreeDirectory, depth: number, why: Unopened): boolean {
  if (!branch.branches) {
    branch.closed = branch.isRaw ? "denied" : depth >= why.depth ? "depth" : why.unopened;
    return branch.closed === "denied";
  }
  let isComplete = true;
  branch.weight = branch.shown = countIn(branch);
  for (const child of branch.branches) {
    if (!settle(child, depth + 1, why)) isComplete = false;
    branch.weight += child.weight;
  }
  return isComplete;
}

/** How many entries a directory itself has, as far as it is opened. */
export const countIn = ({ branches, leafCount }: TreeDirectory): number => (branches?.length ?? 0) + leafCount;

/** Shows what there is room for: level by level, in each the light ones first. Gives how many entries that is. */
function unfold(top: TreeDirectory, limit: number): number {
  fold(top);
  let room = limit;
  let level: readonly TreeDirectory[] = [top];
  let cut: TreeDirectory[] = [];
  while (room > 0 && level.length > 0) {
    const next: TreeDirectory[] = [];
    const light = level.toSorted((a, b) => a.weight - b.weight);
    for (const [index, branch] of light.entries()) {
      const more = shareOf(room, light.length - index, countIn(branch) - branch.shown);
      for (const child of branch.branches?.slice(branch.shown, branch.shown + more) ?? [])
        if (countIn(child) > 0) next.push(child);
      branch.shown += more;
      room -= more;
      if (branch.shown < countIn(branch)) cut.push(branch);
    }
    level = next.length > 0 ? next : cut;
    if (level === cut) cut = [];
  }
  return limit - room;
}

function fold(branch: TreeDirectory): void {
  branch.shown = 0;
  branch.branches?.forEach(fold);
}

/** What fits is shown whole; of more than that, a part, so that there is room for the levels below. */
function shareOf(room: number, waiting: number, children: number): number {
  const fair = Math.ceil(room / waiting);
  return children <= fair ? children : Math.ceil(fair / 2);
}
