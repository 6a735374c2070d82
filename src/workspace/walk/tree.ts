import { LIMITS } from "../../base/limits.ts";
import type { Entry } from "../../storage/storage.ts";
import { packEntries } from "./packed-entries.ts";
import type { View } from "../view.ts";
import { type VisitedDirectory, walk, type WalkOptions } from "./walk.ts";

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
  directories: readonly TreeDirectory[] | undefined;
  /** Everything else by name, packed, and how many that are. */
  packedEntries: string;
  packedCount: number;
  /** How many of its own are shown: the first ones. */
  shown: number;
  /** Entries below it, as far as they are known. */
  totalEntries: number;
  /** Why it was not opened. */
  unopenedReason: "depth" | "room" | "denied" | undefined;
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
export async function buildTree(view: View, path: string, options: TreeOptions): Promise<Tree> {
  const top = directoryNode({ name: path });
  const nodes = new Map<Entry | undefined, TreeDirectory>([[undefined, top]]);
  let left = Math.max(options.limit * LIMITS.treeScanFactor, LIMITS.treeScanLeast);
  const order = options.limit < LIMITS.treeNear ? "near" : "deep";
  const enters = (_: string, depth: number) => depth < options.depth;
  const walked = await walk(
    view,
    path,
    { ...options, order, enters, readAhead: { depth: options.depth } },
    (directory) => {
      addTo(nodes, directory);
      // A huge directory must not use up what others need to be seen at all.
      left -= Math.min(directory.entries.length, LIMITS.treeScanEach) + 1;
      return left > 0;
    },
  );
  const unopened = left <= 0 || walked.stopped ? "room" : "denied";
  const isComplete = computeTotals(top, 0, { depth: options.depth, unopened });
  const shown = top.totalEntries <= options.limit ? top.totalEntries : unfold(top, options.limit);
  return { top, shown, total: top.totalEntries, complete: isComplete };
}

const directoryNode = ({ name, raw }: Pick<Entry, "name" | "raw">): TreeDirectory => ({
  name,
  isRaw: raw !== undefined,
  directories: undefined,
  packedEntries: "",
  packedCount: 0,
  shown: 0,
  totalEntries: 0,
  unopenedReason: undefined,
});

/** Written for speed: a tree may have a million entries. */
function addTo(nodes: Map<Entry | undefined, TreeDirectory>, { entry, entries }: VisitedDirectory): void {
  const node = nodes.get(entry) as TreeDirectory;
  nodes.delete(entry);
  const children: TreeDirectory[] = [];
  const leaves: Entry[] = [];
  for (const each of entries) {
    if (each.kind !== "directory") leaves.push(each);
    else {
      const child = directoryNode(each);
      nodes.set(each, child);
      children.push(child);
    }
  }
  // Not sorted in place: a list that has grown holds room for more.
  node.directories = children.length > 0 ? children.toSorted(byName) : NONE;
  node.packedEntries = packEntries(leaves.toSorted(byName));
  node.packedCount = leaves.length;
}

const NONE: readonly TreeDirectory[] = [];

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);

interface UnopenedReasons {
  readonly depth: number;
  /** Why a directory that is near enough was not opened. */
  readonly unopened: "room" | "denied";
}

/** Weighs a branch and all below it, and says why some were not opened. Whether all there is to see was seen. */
function computeTotals(node: TreeDirectory, depth: number, why: UnopenedReasons): boolean {
  if (!node.directories) {
    node.unopenedReason = node.isRaw ? "denied" : depth >= why.depth ? "depth" : why.unopened;
    return node.unopenedReason === "denied";
  }
  let isComplete = true;
  node.totalEntries = node.shown = countIn(node);
  for (const child of node.directories) {
    if (!computeTotals(child, depth + 1, why)) isComplete = false;
    node.totalEntries += child.totalEntries;
  }
  return isComplete;
}

/** How many entries a directory itself has, as far as it is opened. */
export const countIn = ({ directories, packedCount }: TreeDirectory): number =>
  (directories?.length ?? 0) + packedCount;

/** Shows what there is room for: level by level, in each the light ones first. Gives how many entries that is. */
function unfold(top: TreeDirectory, limit: number): number {
  fold(top);
  let room = limit;
  let level: readonly TreeDirectory[] = [top];
  let cut: TreeDirectory[] = [];
  while (room > 0 && level.length > 0) {
    const next: TreeDirectory[] = [];
    const light = level.toSorted((a, b) => a.totalEntries - b.totalEntries);
    for (const [index, node] of light.entries()) {
      const more = shareOf(room, light.length - index, countIn(node) - node.shown);
      for (const child of node.directories?.slice(node.shown, node.shown + more) ?? [])
        if (countIn(child) > 0) next.push(child);
      node.shown += more;
      room -= more;
      if (node.shown < countIn(node)) cut.push(node);
    }
    level = next.length > 0 ? next : cut;
    if (level === cut) cut = [];
  }
  return limit - room;
}

function fold(node: TreeDirectory): void {
  node.shown = 0;
  node.directories?.forEach(fold);
}

/** What fits is shown whole; of more than that, a part, so that there is room for the levels below. */
function shareOf(room: number, waiting: number, children: number): number {
  const fair = Math.ceil(room / waiting);
  return children <= fair ? children : Math.ceil(fair / 2);
}
