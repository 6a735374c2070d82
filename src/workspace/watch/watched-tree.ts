import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf, isWithin } from "../../base/paths.ts";
import type { Entry, DirectoryHandle, Hint, SafePath } from "../../storage/storage.ts";
import { type WatchedDirectory, watchedChildren, NO_DIRECTORIES } from "./watched-directory.ts";
import { packEntries } from "../walk/packed-entries.ts";
import type { View } from "../view.ts";
import { inodeIdOf } from "./inode-id.ts";
import { nameFilter, isWatchedDirectory, isOwnTemporary, type WatchScope } from "./watch-scope.ts";

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
  readonly dirty: Map<WatchedDirectory, DirtyNames>;
  /** Directories whose watch may have ended with the directory it was begun for. */
  readonly unsureWatches: Set<WatchedDirectory>;
  /** Something may have happened that nobody will ever hint at. */
  isLossy: boolean;
  /** Called at every doubt. */
  wake(): void;
  readonly hint: Hint<WatchedDirectory>;
  /** The same text where one like it came lately: directories of a project are called alike, and hold the same names. */
  intern(text: string): string;
}

/** Nothing is known yet. */
export function createWatchedTree(parts: Pick<WatchedTree, "view" | "scope" | "allowance" | "wake">): WatchedTree {
  const hint: Hint<WatchedDirectory> = (name, node) => onHint(tree, node, name);
  const tree: WatchedTree = {
    ...parts,
    root: undefined,
    dirty: new Map(),
    unsureWatches: new Set(),
    isLossy: false,
    hint,
    intern: createInterner(),
  };
  return tree;
}

function createInterner(): WatchedTree["intern"] {
  const lately = new Map<string, string>();
  return (text) => {
    const same = lately.get(text);
    if (same !== undefined) return same;
    if (lately.size >= LIMITS.internedTexts) lately.clear();
    lately.set(text, text);
    return text;
  };
}

/**
 * Watches everything in the scope, from one directory to those in it, each opened from the one that holds it. In one
 * loop: a call for each of tens of thousands would take longer. A root that is not there now may come.
 */
export async function watchAll(tree: WatchedTree): Promise<void> {
  const root = await openRoot(tree);
  const open: SurveyFrame[] = [];
  try {
    if (root) open.push(watchRoot(tree, root));
    for (let at = open.at(-1); at; at = open.at(-1)) {
      const pause = tree.view.checkpoint() ?? advance(tree, open, at);
      if (pause) await pause;
    }
  } finally {
    for (const { directory } of open) directory.close();
  }
}

/** A directory on the way, with what is still to be done in it. */
interface SurveyFrame {
  readonly directory: DirectoryHandle;
  readonly node: WatchedDirectory;
  readonly directories: WatchedDirectory[];
  unwatched: Entry[];
  /** Directories that are to be watched as well; undefined before it is listed. */
  pending: Entry[] | undefined;
}

function watchRoot(tree: WatchedTree, root: DirectoryHandle): SurveyFrame {
  try {
    tree.root = addWatch(tree, root, null, "");
    return surveyFrameOf(root, tree.root);
  } catch (error) {
    root.close();
    throw error;
  }
}

/** What is in it is known from the start, so that all of it can be ended when one thing fails. */
function surveyFrameOf(directory: DirectoryHandle, node: WatchedDirectory): SurveyFrame {
  const children: WatchedDirectory[] = [];
  node.directories = children;
  return { directory, node, directories: children, unwatched: [], pending: undefined };
}

function advance(tree: WatchedTree, open: SurveyFrame[], at: SurveyFrame): Promise<void> | undefined {
  if (!at.pending) return list(tree, at);
  const entry = at.pending.pop();
  const inner = entry && watchEntry(tree, at, entry);
  if (inner) open.push(inner);
  else if (entry) at.unwatched.push(entry);
  else finish(tree, open);
  return undefined;
}

function list(tree: WatchedTree, at: SurveyFrame): Promise<void> | undefined {
  at.pending = [];
  try {
    const read = at.directory.entries();
    if (!(read instanceof Promise)) return partitionEntries(tree, at, read);
    return read
      .then((entries) => partitionEntries(tree, at, entries))
      .catch((error) => skipUnlessRequired(tree, at.directory.path, error));
  } catch (error) {
    return skipUnlessRequired(tree, at.directory.path, error);
  }
}

function partitionEntries(tree: WatchedTree, at: SurveyFrame, entries: readonly Entry[]): undefined {
  const { path } = at.directory;
  const isEntered = ({ name, kind }: Entry): boolean => kind === "directory" && shouldWatch(tree, childOf(path, name));
  for (const entry of relevantEntries(tree, path, entries)) (isEntered(entry) ? at.pending : at.unwatched)?.push(entry);
}

/** Whether a directory is to be watched and the rules let it be opened; what was asked for must be. */
function shouldWatch({ view, scope }: WatchedTree, place: SafePath): boolean {
  if (!isWatchedDirectory(scope, place)) return false;
  const opens = view.mayOpen(place);
  if (opens || !isWithin(scope.target, place)) return opens;
  throw new Fault("denied", `Cannot watch ${JSON.stringify(place)}: the rules do not let it be opened`);
}

/** Undefined for what cannot be opened, or not be watched by us: it is known by its name only. */
function watchEntry(
  tree: WatchedTree,
  { directory, node, directories }: SurveyFrame,
  entry: Entry,
): SurveyFrame | undefined {
  let inner: DirectoryHandle | undefined;
  try {
    inner = directory.openDirectory(entry);
    const added = addWatch(tree, inner, node, entry.name);
    directories.push(added);
    return surveyFrameOf(inner, added);
  } catch (error) {
    inner?.close();
    return skipUnlessRequired(tree, childOf(directory.path, entry.name), error);
  }
}

/** Whoever wants to watch a place must be told that it cannot be watched. */
function skipUnlessRequired({ scope }: WatchedTree, place: SafePath, error: unknown): undefined {
  if (isWithin(scope.target, place)) throw error;
  return skipUnreadable(error);
}

/** What may not be read is no reason to watch nothing. */
export function skipUnreadable(error: unknown): undefined {
  if (!isFault(error) || ["cancelled", "too_many_watches"].includes(error.code)) throw error;
}

/** A list that grew has room for many more; nearly all have none, or one or two. */
function finish({ intern }: WatchedTree, open: SurveyFrame[]): void {
  const { directory, node, directories, unwatched } = open.pop() as SurveyFrame;
  directory.close();
  node.packedEntries = intern(packEntries(unwatched));
  node.directories = directories.length === 0 ? NO_DIRECTORIES : directories.slice();
}

/** Undefined when the root is gone. */
export async function openRoot({ view, scope }: WatchedTree): Promise<DirectoryHandle | undefined> {
  try {
    return await view.openDirectory(scope.root);
  } catch (error) {
    if (isFault(error) && ["root_gone", "not_found", "not_a_directory"].includes(error.code)) return undefined;
    throw error;
  }
}

/** Those of some entries that the watch is about and the rules admit. What no path can name is left out. */
export function relevantEntries(
  { view, scope }: WatchedTree,
  place: SafePath,
  entries: readonly Entry[],
): readonly Entry[] {
  const isWanted = nameFilter(scope, place);
  return view.visibleEntries(
    place,
    entries.filter(({ name, raw }) => raw === undefined && !isOwnTemporary(name) && isWanted(name)),
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
  const node: WatchedDirectory = {
    parent,
    name: tree.intern(name),
    inodeId: inodeIdOf(directory.facts()),
    watch: undefined,
    entries: undefined,
    packedEntries: "",
    packedInodeIds: undefined,
    directories: NO_DIRECTORIES,
    contentStamps: undefined,
  };
  node.watch = directory.watch(tree.hint, node);
  allowance.directories++;
  return node;
}

/** "." is the directory itself: it may have been deleted, and then its watch has ended. */
function onHint(tree: WatchedTree, node: WatchedDirectory, name: string): void {
  if (isOwnTemporary(name) || !node.watch) return;
  if (name !== ".") return markDirty(tree, node, [name]);
  if (!node.parent) return markDirty(tree, node);
  tree.unsureWatches.add(node);
  markDirty(tree, node.parent, [node.name]);
}

/**
 * Watches a directory anew. One that is made right after another was deleted may have its number and its time of birth:
 * nothing but the end of the watch tells them apart.
 */
export function renewWatch(tree: WatchedTree, node: WatchedDirectory, above: DirectoryHandle): void {
  tree.unsureWatches.delete(node);
  const directory = above.openDirectory({ name: node.name, kind: "directory" });
  try {
    if (inodeIdOf(directory.facts()) !== node.inodeId) return;
    const ended = node.watch;
    node.watch = directory.watch(tree.hint, node);
    ended?.close();
    markDirty(tree, node);
  } finally {
    directory.close();
  }
}

/** Notes what has to be looked at; without names, that is everything. */
export function markDirty(tree: WatchedTree, node: WatchedDirectory, names?: Iterable<string>, tries = 0): void {
  if (!node.watch) return;
  const dirty = tree.dirty.get(node) ?? { names: new Set(), isAll: false, tries };
  tree.dirty.set(node, dirty);
  if (names === undefined) dirty.isAll = true;
  else for (const name of names) dirty.names.add(name);
  tree.wake();
}

/** Where a branch is, by all that is known. */
export function watchedPlace({ scope }: WatchedTree, node: WatchedDirectory): SafePath {
  const names: string[] = [];
  for (let at = node; at.parent; at = at.parent) names.push(at.name);
  return names.reduceRight<SafePath>(childOf, scope.root);
}

/** Ends the watch of a directory and of all in it. */
export function removeWatch(tree: WatchedTree, node: WatchedDirectory): void {
  if (!node.watch) return;
  node.watch.close();
  node.watch = undefined;
  tree.allowance.directories--;
  tree.dirty.delete(node);
  tree.unsureWatches.delete(node);
  for (const inner of watchedChildren(node)) removeWatch(tree, inner);
}

/** Opens a branch's directory, if it is still that one and where it was. */
export async function openWatched(tree: WatchedTree, node: WatchedDirectory): Promise<DirectoryHandle | undefined> {
  const place = watchedPlace(tree, node);
  const directory = await openOrUndefined(tree.view, place);
  if (!directory) return undefined;
  if (directory.path === place && inodeIdOf(directory.facts()) === node.inodeId) return directory;
  directory.close();
  return undefined;
}

/** Undefined where there is no directory to open, or none that may be. */
async function openOrUndefined(view: View, place: SafePath): Promise<DirectoryHandle | undefined> {
  try {
    return await view.openDirectory(place);
  } catch (error) {
    if (isFault(error) && error.code !== "cancelled") return undefined;
    throw error;
  }
}
