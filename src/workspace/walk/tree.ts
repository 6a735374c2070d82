import { LIMITS } from "../../base/limits.ts";
import type { Entry } from "../../storage/storage.ts";
import { packEntries } from "./packed-entries.ts";
import type { View } from "../view.ts";
import { type VisitedDirectory, walk, type WalkOptions } from "./walk.ts";

export interface TreeOptions extends Pick<WalkOptions, "exclude" | "includeIgnored" | "includeHidden"> {
  readonly depth: number;
  /** Limits the number of entries shown. */
  readonly limit: number;
}

/** A directory of a tree. There may be a hundred thousand, so every field costs memory. */
export interface TreeDirectory {
  readonly name: string;
  /** Is true if the name is not valid UTF-8, so that no path can open it. */
  readonly isRaw: boolean;
  /** Are sorted by name and come before all other entries; undefined if the directory was not opened. */
  directories: readonly TreeDirectory[] | undefined;
  /** Holds all other entries, sorted by name and packed; `packedCount` is their number. */
  packedEntries: string;
  packedCount: number;
  /** Counts its own entries that are shown, from the first one. */
  shown: number;
  /** Counts the known entries below it at any depth. */
  totalEntries: number;
  /** The reason why it was not opened. */
  unopenedReason: "depth" | "room" | "denied" | undefined;
}

export interface Tree {
  readonly top: TreeDirectory;
  readonly shown: number;
  /** Counts the entries that were found, shown or folded. */
  readonly total: number;
  /** Is true if every directory that may be opened was, so that `total` is exact. */
  readonly complete: boolean;
}

/**
 * Reads several times as many entries as are shown, to learn how large each directory is. Then unfolds level by level,
 * small directories first, so that one huge directory cannot crowd out the rest.
 */
export async function buildTree(view: View, path: string, options: TreeOptions): Promise<Tree> {
  const top = directoryNode({ name: path });
  const nodes = new Map<Entry | undefined, TreeDirectory>([[undefined, top]]);
  let left = Math.max(options.limit * LIMITS.treeScanFactor, LIMITS.treeScanLeast);
  const order = options.limit < LIMITS.treeNear ? "near" : "deep";
  const enters = (_: string, depth: number) => depth < options.depth;
  const walked = await walk(view, path, { ...options, order, enters }, (directory) => {
    addTo(nodes, directory);
    // The cap per directory keeps a huge one from using up the budget of all others.
    left -= Math.min(directory.entries.length, LIMITS.treeScanEach) + 1;
    return left > 0;
  });
  const unopened = left <= 0 || walked.stopped ? "room" : "denied";
  const isComplete = computeTotals(top, 0, { depth: options.depth, unopened });
  const shown = top.totalEntries <= options.limit ? top.totalEntries : unfoldLevels(top, options.limit);
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

/** Adds the entries of a visited directory. Uses plain loops for speed, since a tree may have a million entries. */
function addTo(nodes: Map<Entry | undefined, TreeDirectory>, { entry, entries }: VisitedDirectory): void {
  const node = nodes.get(entry) as TreeDirectory;
  nodes.delete(entry);
  const children: TreeDirectory[] = [];
  const others: Entry[] = [];
  for (const each of entries) {
    if (each.kind !== "directory") others.push(each);
    else {
      const child = directoryNode(each);
      nodes.set(each, child);
      children.push(child);
    }
  }
  // A sorted copy has no spare capacity, unlike an array that grew by push.
  node.directories = children.length > 0 ? children.toSorted(byName) : NONE;
  node.packedEntries = packEntries(others.toSorted(byName));
  node.packedCount = others.length;
}

const NONE: readonly TreeDirectory[] = [];

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);

interface UnopenedReasons {
  readonly depth: number;
  /** The reason for a directory within the depth. */
  readonly unopened: "room" | "denied";
}

/**
 * Sums up the entries below a directory and records why directories were not opened. Returns true if none was left
 * closed because of its depth or the budget.
 */
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

/** Counts the direct entries of a directory; 0 if it was not opened. */
export const countIn = ({ directories, packedCount }: TreeDirectory): number =>
  (directories?.length ?? 0) + packedCount;

/** Unfolds directories level by level, in each level the smallest first, up to the limit. Returns the entries shown. */
function unfoldLevels(top: TreeDirectory, limit: number): number {
  foldDirectory(top);
  let room = limit;
  let level: readonly TreeDirectory[] = [top];
  let cut: TreeDirectory[] = [];
  while (room > 0 && level.length > 0) {
    const next: TreeDirectory[] = [];
    const smallestFirst = level.toSorted((a, b) => a.totalEntries - b.totalEntries);
    for (const [index, node] of smallestFirst.entries()) {
      const more = shareOf(room, smallestFirst.length - index, countIn(node) - node.shown);
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

function foldDirectory(node: TreeDirectory): void {
  node.shown = 0;
  node.directories?.forEach(foldDirectory);
}

/** Returns all children if they fit into a fair share, or else half of it, to leave room for the levels below. */
function shareOf(room: number, waiting: number, children: number): number {
  const fair = Math.ceil(room / waiting);
  return children <= fair ? children : Math.ceil(fair / 2);
}
