import { LIMITS } from "../base/limits.ts";
import type { Entry } from "../storage/storage.ts";
import type { View } from "./view.ts";
import { type Visited, walk, type WalkWish } from "./walk.ts";

export interface TreeWish extends Pick<WalkWish, "exclude" | "includeIgnored" | "includeHidden"> {
  readonly depth: number;
  /** Entries shown at most. */
  readonly limit: number;
}

/** A directory of a tree. */
export interface Branch extends Entry {
  /** Directories first, then by name. What is no directory stands for itself. */
  children: readonly (Entry | Branch)[];
  /** How many of the children are shown: the first ones. */
  shown: number;
  /** Entries below it, as far as they are known. */
  weight: number;
  /** Why it was not opened. */
  closed?: "depth" | "room" | "denied";
}

export interface Tree {
  readonly top: Branch;
  readonly shown: number;
  /** Entries met, shown or folded. */
  readonly total: number;
  /** Every directory that may be opened was: `total` is all there is to see. */
  readonly complete: boolean;
}

export const isBranch = (node: Entry | Branch): node is Branch => "children" in node;

/**
 * Looks at several times what is shown, level by level, to know what is heavy; then shows what is near and light
 * first, so that one huge directory cannot crowd out the rest.
 */
export async function growTree(view: View, path: string, wish: TreeWish): Promise<Tree> {
  const top = branchOf({ name: path, kind: "directory" });
  const branches = new Map<Entry | undefined, Branch>([[undefined, top]]);
  let left = Math.max(wish.limit * LIMITS.treeLook, LIMITS.treeLookLeast);
  const order = wish.limit < LIMITS.treeNear ? "near" : "deep";
  const enters = (_: string, depth: number) => depth < wish.depth;
  const walked = await walk(view, path, { ...wish, order, enters }, (directory) => {
    addTo(branches, directory);
    // A huge directory must not use up what others need to be seen at all.
    left -= Math.min(directory.entries.length, LIMITS.treeLookEach) + 1;
    return left > 0;
  });
  const unopened = left <= 0 || walked.stopped ? "room" : "denied";
  const isComplete = settle(top, 0, { depth: wish.depth, unopened });
  const shown = top.weight <= wish.limit ? top.weight : unfold(top, wish.limit);
  return { top, shown, total: top.weight, complete: isComplete };
}

const branchOf = ({ name, kind, raw }: Entry): Branch => ({
  name,
  kind,
  ...(raw && { raw }),
  children: NOT_OPENED,
  shown: 0,
  weight: 0,
});

/** Told from an empty directory by being this very list. */
const NOT_OPENED: readonly Entry[] = [];

/** Written for speed: a tree may have a million entries. */
function addTo(branches: Map<Entry | undefined, Branch>, { entry, entries }: Visited): void {
  const branch = branches.get(entry) as Branch;
  const children: Branch[] = [];
  const others: Entry[] = [];
  for (const each of entries) {
    if (each.kind !== "directory") others.push(each);
    else {
      const child = branchOf(each);
      branches.set(each, child);
      children.push(child);
    }
  }
  branch.children = [...children.toSorted(byName), ...others.toSorted(byName)];
}

const byName = (a: Entry, b: Entry): number => (a.name < b.name ? -1 : 1);

interface Unopened {
  readonly depth: number;
  /** Why a directory that is near enough was not opened. */
  readonly unopened: "room" | "denied";
}

/** Weighs a branch and all below it, and says why some were not opened. Whether all there is to see was seen. */
function settle(branch: Branch, depth: number, why: Unopened): boolean {
  if (branch.children === NOT_OPENED) {
    branch.closed = branch.raw ? "denied" : depth >= why.depth ? "depth" : why.unopened;
    return branch.closed === "denied";
  }
  let isComplete = true;
  branch.weight = branch.children.length;
  branch.shown = branch.children.length;
  for (const child of branch.children) {
    if (!isBranch(child)) break;
    if (!settle(child, depth + 1, why)) isComplete = false;
    branch.weight += child.weight;
  }
  return isComplete;
}

/** Shows what there is room for: level by level, in each the light ones first. Gives how many entries that is. */
function unfold(top: Branch, limit: number): number {
  fold(top);
  let room = limit;
  let level: readonly Branch[] = [top];
  let cut: Branch[] = [];
  while (room > 0 && level.length > 0) {
    const next: Branch[] = [];
    const light = level.toSorted((a, b) => a.weight - b.weight);
    for (const [index, branch] of light.entries()) {
      const share = shareOf(room, light.length - index, branch.children.length - branch.shown);
      const more = branch.children.slice(branch.shown, branch.shown + share);
      branch.shown += more.length;
      room -= more.length;
      if (branch.shown < branch.children.length) cut.push(branch);
      for (const child of more) if (isBranch(child) && child.children.length > 0) next.push(child);
    }
    level = next.length > 0 ? next : cut;
    if (level === cut) cut = [];
  }
  return limit - room;
}

function fold(branch: Branch): void {
  branch.shown = 0;
  for (const child of branch.children) if (isBranch(child)) fold(child);
}

/** What fits is shown whole; of more than that, a part, so that there is room for the levels below. */
function shareOf(room: number, waiting: number, children: number): number {
  const fair = Math.ceil(room / waiting);
  return children <= fair ? children : Math.ceil(fair / 2);
}
