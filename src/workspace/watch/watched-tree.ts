import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf, isWithin } from "../../base/paths.ts";
import type { Entry, DirectoryHandle, Hint, SafePath } from "../../storage/storage.ts";
import { type WatchedDirectory, directoriesIn, NO_DIRECTORIES } from "./watched-directory.ts";
import { packed } from "../walk/packed-entries.ts";
import type { View } from "../view.ts";
import { inodeIdOf } from "./inode-id.ts";
import { concerned, enters, isOurs, type WatchScope } from "./scope.ts";

/** Counts the directories that all watches of a session have together. */
export interface WatchAllowance {
  directories: number;
}

/** What may no longer be as it was in a directory: names that were hinted at, or all of it. */
export interface DirtyNames {
  readonly names: Set<string>;
  isAll: boolean;
  /** How often the directory was looked for in vain. */
  tries: number;
}

/** What a watch knows of its part of the workspace, and where that may no longer be true. */
export interface WatchedTree {
  readonly view: View;
  readonly scope: WatchScope;
  readonly allowance: WatchAllowance;
  root: WatchedDirectory | undefined;
  readonly doubts: Map<WatchedDirectory, DirtyNames>;
  /** Directories whose watch may have ended with the directory it was begun for. */
  readonly unsure: Set<WatchedDirectory>;
  /** Something may have happened that nobody will ever hint at. */
  isLossy: boolean;
  /** Called at every doubt. */
  wake(): void;
  readonly hint: Hint<WatchedDirectory>;
  /** The same text where one like it came lately: directories of a project are called alike, and hold the same names. */
  once(text: string): string;
}

/** Nothing is known yet. */
export function createWatchedTree(parts: Pick<WatchedTree, "view" | "scope" | "allowance" | "wake">): WatchedTree {
  const hint: Hint<WatchedDirectory> = (name, branch) => hintAt(tree, branch, name);
  const tree: WatchedTree = {
    ...parts,
    root: undefined,
    doubts: new Map(),
    unsure: new Set(),
    isLossy: false,
    hint,
    once: createOnce(),
  };
  return tree;
}

function createOnce(): WatchedTree["once"] {
  const lately = new Map<string, string>();
  return (text) => {
    const same = lately.get(text);
    if (same !== undefined) return same;
    if (lately.size >= LIMITS.textsAlike) lately.clear();
    lately.set(text, text);
    return text;
  };
}

/**
 * Watches everything in the scope, from one directory to those in it, each opened from the one that holds it. In one
 * loop: a call for each of tens of thousands would take longer. A root that is not there now may come.
 */
export async function survey(tree: WatchedTree): Promise<void> {
  const root = await rootOf(tree);
  const open: Surveyed[] = [];
  try {
    if (root) open.push(begun(tree, root));
    for (let at = open.at(-1); at; at = open.at(-1)) {
      const pause = tree.view.checkpoint() ?? advance(tree, open, at);
      if (pause) await pause;
    }
  } finally {
    for (const { directory } of open) directory.close();
  }
}

/** A directory on the way, with what is still to be done in it. */
interface Surveyed {
  readonly directory: DirectoryHandle;
  readonly branch: WatchedDirectory;
  readonly branches: WatchedDirectory[];
  leaves: Entry[];
  /** Directories that are to be watched as well; undefined before it is listed. */
  waiting: Entry[] | undefined;
}

function begun(tree: WatchedTree, root: DirectoryHandle): Surveyed {
  try {
    tree.root = addWatch(tree, root, null, "");
    return surveyedOf(root, tree.root);
  } catch (error) {
    root.close();
    throw error;
  }
}

/** What is in it is known from the start, so that all of it can be ended when one thing fails. */
function surveyedOf(directory: DirectoryHandle, branch: WatchedDirectory): Surveyed {
  const branches: WatchedDirectory[] = [];
  branch.branches = branches;
  return { directory, branch, branches, leaves: [], waiting: undefined };
}

function advance(tree: WatchedTree, open: Surveyed[], at: Surveyed): Promise<void> | undefined {
  if (!at.waiting) return list(tree, at);
  const entry = at.waiting.pop();
  const inner = entry && opened(tree, at, entry);
  if (inner) open.push(inner);
  else if (entry) at.leaves.push(entry);
  else finish(tree, open);
  return undefined;
}

function list(tree: WatchedTree, at: Surveyed): Promise<void> | undefined {
  at.waiting = [];
  try {
    const read = at.directory.entries();
    if (!(read instanceof Promise)) return sort(tree, at, read);
    return read
      .then((entries) => sort(tree, at, entries))
      .catch((error) => unlessOnTheWay(tree, at.directory.path, error));
  } catch (error) {
    return unlessOnTheWay(tree, at.directory.path, error);
  }
}

function sort(tree: WatchedTree, at: Surveyed, entries: readonly Entry[]): undefined {
  const { path } = at.directory;
  const isEntered = ({ name, kind }: Entry): boolean => kind === "directory" && isOpen(tree, childOf(path, name));
  for (const entry of known(tree, path, entries)) (isEntered(entry) ? at.waiting : at.leaves)?.push(entry);
}

/** Whether a directory is to be watched and the rules let it be opened; what was asked for must be. */
function isOpen({ view, scope }: WatchedTree, place: SafePath): boolean {
  if (!enters(scope, place)) return false;
  const opens = view.opens(place);
  if (opens || !isWithin(scope.target, place)) return opens;
  throw new Fault("denied", `Cannot watch ${JSON.stringify(place)}: the rules do not let it be opened`);
}

/** Undefined for what cannot be opened, or not be watched by us: it is known by its name only. */
function opened(tree: WatchedTree, { directory, branch, branches }: Surveyed, entry: Entry): Surveyed | undefined {
  let inner: DirectoryHandle | undefined;
  try {
    inner = directory.enter(entry);
    const planted = addWatch(tree, inner, branch, entry.name);
    branches.push(planted);
    return surveyedOf(inner, planted);
  } catch (error) {
    inner?.close();
    return unlessOnTheWay(tree, childOf(directory.path, entry.name), error);
  }
}

/** Whoever wants to watch a place must be told that it cannot be watched. */
function unlessOnTheWay({ scope }: WatchedTree, place: SafePath, error: unknown): undefined {
  if (isWithin(scope.target, place)) throw error;
  return passedOver(error);
}

/** What may not be read is no reason to watch nothing. */
export function passedOver(error: unknown): undefined {
  if (!isFault(error) || ["cancelled", "too_many_watches"].includes(error.code)) throw error;
}

/** A list that grew has room for many more; nearly all have none, or one or two. */
function finish({ once }: WatchedTree, open: Surveyed[]): void {
  const { directory, branch, branches, leaves } = open.pop() as Surveyed;
  directory.close();
  branch.leaves = once(packed(leaves));
  branch.branches = branches.length === 0 ? NO_DIRECTORIES : branches.slice();
}

/** Undefined when the root is gone. */
export async function rootOf({ view, scope }: WatchedTree): Promise<DirectoryHandle | undefined> {
  try {
    return await view.hold(scope.root);
  } catch (error) {
    if (isFault(error) && ["root_gone", "not_found", "not_a_directory"].includes(error.code)) return undefined;
    throw error;
  }
}

/** Those of some entries that the watch is about and the rules admit. What no path can name is left out. */
export function known({ view, scope }: WatchedTree, place: SafePath, entries: readonly Entry[]): readonly Entry[] {
  const isWanted = concerned(scope, place);
  return view.admitted(
    place,
    entries.filter(({ name, raw }) => raw === undefined && !isOurs(name) && isWanted(name)),
  );
}

/** Watches a directory that is held. From here on it is hinted at what changes: list it afterwards. */
export function addWatch(
  tree: WatchedTree,
  directory: DirectoryHandle,
  parent: WatchedDirectory | null,
  name: string,
): WatchedDirectory {
  const { allowance } = tree;
  if (allowance.directories >= LIMITS.watchedDirectories)
    throw new Fault("too_many_watches", `Cannot watch more than ${LIMITS.watchedDirectories} directories`);
  const branch: WatchedDirectory = {
    parent,
    name: tree.once(name),
    mark: inodeIdOf(directory.facts()),
    watched: undefined,
    entries: undefined,
    leaves: "",
    marks: undefined,
    branches: NO_DIRECTORIES,
    stamps: undefined,
  };
  branch.watched = directory.watch(tree.hint, branch);
  allowance.directories++;
  return branch;
}

/** "." is the directory itself: it may have been deleted, and then its watch has ended. */
function hintAt(tree: WatchedTree, branch: WatchedDirectory, name: string): void {
  if (isOurs(name) || !branch.watched) return;
  if (name !== ".") return markDirty(tree, branch, [name]);
  if (!branch.parent) return markDirty(tree, branch);
  tree.unsure.add(branch);
  markDirty(tree, branch.parent, [branch.name]);
}

/**
 * Watches a directory anew. One that is made right after another was deleted may have its number and its time of birth:
 * nothing but the end of the watch tells them apart.
 */
export function renewWatch(tree: WatchedTree, branch: WatchedDirectory, above: DirectoryHandle): void {
  tree.unsure.delete(branch);
  const directory = above.enter({ name: branch.name, kind: "directory" });
  try {
    if (inodeIdOf(directory.facts()) !== branch.mark) return;
    const ended = branch.watched;
    branch.watched = directory.watch(tree.hint, branch);
    ended?.close();
    markDirty(tree, branch);
  } finally {
    directory.close();
  }
}

/** Notes what has to be looked at; without names, that is everything. */
export function markDirty(tree: WatchedTree, branch: WatchedDirectory, names?: Iterable<string>, tries = 0): void {
  if (!branch.watched) return;
  const so = tree.doubts.get(branch) ?? { names: new Set(), isAll: false, tries };
  tree.doubts.set(branch, so);
  if (names === undefined) so.isAll = true;
  else for (const name of names) so.names.add(name);
  tree.wake();
}

/** Where a branch is, by all that is known. */
export function watchedPlace({ scope }: WatchedTree, branch: WatchedDirectory): SafePath {
  const names: string[] = [];
  for (let at = branch; at.parent; at = at.parent) names.push(at.name);
  return names.reduceRight<SafePath>(childOf, scope.root);
}

/** Ends the watch of a directory and of all in it. */
export function removeWatch(tree: WatchedTree, branch: WatchedDirectory): void {
  if (!branch.watched) return;
  branch.watched.close();
  branch.watched = undefined;
  tree.allowance.directories--;
  tree.doubts.delete(branch);
  tree.unsure.delete(branch);
  for (const inner of directoriesIn(branch)) removeWatch(tree, inner);
}

/** Opens a branch's directory, if it is still that one and where it was. */
export async function reached(tree: WatchedTree, branch: WatchedDirectory): Promise<DirectoryHandle | undefined> {
  const place = watchedPlace(tree, branch);
  const directory = await held(tree.view, place);
  if (!directory) return undefined;
  if (directory.path === place && inodeIdOf(directory.facts()) === branch.mark) return directory;
  directory.close();
  return undefined;
}

/** Undefined where there is no directory to open, or none that may be. */
async function held(view: View, place: SafePath): Promise<DirectoryHandle | undefined> {
  try {
    return await view.hold(place);
  } catch (error) {
    if (isFault(error) && error.code !== "cancelled") return undefined;
    throw error;
  }
}
