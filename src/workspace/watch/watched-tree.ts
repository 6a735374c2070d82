import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf, isWithin } from "../../base/paths.ts";
import type { Entry, DirectoryHandle, Hint, SafePath } from "../../storage/storage.ts";
import { type WatchedDirectory, watchedChildren, NO_DIRECTORIES } from "./watched-directory.ts";
import { packEntries } from "../walk/packed-entries.ts";
import type { View } from "../view.ts";
import { inodeIdOf } from "./inode-id.ts";
import { nameFilter, isWatchedDirectory, isOwnTemporary, type WatchScope } from "./watch-scope.ts";

/** Counts the watched directories of all watches of a session. */
export interface WatchAllowance {
  directories: number;
}

/** Lists the names in a directory that may have changed; `isAll` marks the whole directory. */
export interface DirtyNames {
  readonly names: Set<string>;
  isAll: boolean;
  /** Counts the failed attempts to open the directory. */
  tries: number;
}

/** Holds the last known state of the watched directories, and the parts of it that may be out of date. */
export interface WatchedTree {
  readonly view: View;
  readonly scope: WatchScope;
  readonly allowance: WatchAllowance;
  root: WatchedDirectory | undefined;
  readonly dirty: Map<WatchedDirectory, DirtyNames>;
  /** Holds directories that may have been deleted and made again, so that their watch may have ended. */
  readonly unsureWatches: Set<WatchedDirectory>;
  /** Is true if changes may have been missed for good. */
  isLossy: boolean;
  /** Is called whenever something is marked dirty. */
  wake(): void;
  readonly hint: Hint<WatchedDirectory>;
  /** Returns one shared copy of equal strings, since directories of a project often have the same names and entries. */
  intern(text: string): string;
}

/** Creates a tree without a root; `watchAll` fills it. */
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
  const recent = new Map<string, string>();
  return (text) => {
    const same = recent.get(text);
    if (same !== undefined) return same;
    if (recent.size >= LIMITS.internedTexts) recent.clear();
    recent.set(text, text);
    return text;
  };
}

/**
 * Watches all directories in the scope depth first; opens each from the handle of its parent. It uses one loop with a
 * stack, because an async call for each of tens of thousands would take longer. The root may appear later.
 */
export async function watchAll(tree: WatchedTree): Promise<void> {
  const root = await openRoot(tree);
  const open: SurveyFrame[] = [];
  try {
    if (root) open.push(watchRoot(tree, root));
    for (let at = open.at(-1); at; at = open.at(-1)) {
      const pause = tree.view.checkpoint() ?? surveyNext(tree, open, at);
      if (pause) await pause;
    }
  } finally {
    for (const { directory } of open) directory.close();
  }
}

/** A directory on the stack, with the work left in it. */
interface SurveyFrame {
  readonly directory: DirectoryHandle;
  readonly node: WatchedDirectory;
  readonly directories: WatchedDirectory[];
  unwatched: Entry[];
  /** Holds the directories in it that are still to be watched; undefined before it is listed. */
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

/** Links the list of children to the node at once, so that `removeWatch` reaches all of them if the survey fails. */
function surveyFrameOf(directory: DirectoryHandle, node: WatchedDirectory): SurveyFrame {
  const children: WatchedDirectory[] = [];
  node.directories = children;
  return { directory, node, directories: children, unwatched: [], pending: undefined };
}

function surveyNext(tree: WatchedTree, open: SurveyFrame[], at: SurveyFrame): Promise<void> | undefined {
  if (!at.pending) return listFrame(tree, at);
  const entry = at.pending.pop();
  const inner = entry && watchEntry(tree, at, entry);
  if (inner) open.push(inner);
  else if (entry) at.unwatched.push(entry);
  else finishFrame(tree, open);
  return undefined;
}

function listFrame(tree: WatchedTree, at: SurveyFrame): Promise<void> | undefined {
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

/** Returns true if a directory is in the scope and may be opened. Throws if the target or one above it may not. */
function shouldWatch({ view, scope }: WatchedTree, place: SafePath): boolean {
  if (!isWatchedDirectory(scope, place)) return false;
  const isAllowed = view.mayOpen(place);
  if (isAllowed || !isWithin(scope.target, place)) return isAllowed;
  throw new Fault("denied", `Cannot watch ${JSON.stringify(place)}: the rules do not allow it to be opened`);
}

/** Watches one directory. Returns undefined if it cannot be opened or watched; then only its name is tracked. */
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

/** Throws for the target and the directories above it, because the caller must learn that these cannot be watched. */
function skipUnlessRequired({ scope }: WatchedTree, place: SafePath, error: unknown): undefined {
  if (isWithin(scope.target, place)) throw error;
  return skipUnreadable(error);
}

/** Ignores a fault of one directory, unless the call was cancelled or the limit of watches is reached. */
export function skipUnreadable(error: unknown): undefined {
  if (!isFault(error) || ["cancelled", "too_many_watches"].includes(error.code)) throw error;
}

/** Packs the entries of a finished directory. Copies the list of children, because a grown array has spare capacity. */
function finishFrame({ intern }: WatchedTree, open: SurveyFrame[]): void {
  const { directory, node, directories, unwatched } = open.pop() as SurveyFrame;
  directory.close();
  node.packedEntries = intern(packEntries(unwatched));
  node.directories = directories.length === 0 ? NO_DIRECTORIES : directories.slice();
}

/** Returns undefined if the root is gone. */
export async function openRoot({ view, scope }: WatchedTree): Promise<DirectoryHandle | undefined> {
  try {
    return await view.openDirectory(scope.root);
  } catch (error) {
    if (isFault(error) && ["root_gone", "not_found", "not_a_directory"].includes(error.code)) return undefined;
    throw error;
  }
}

/** Keeps the entries that the scope and the access rules admit. Drops names that are not valid UTF-8. */
export function relevantEntries(
  { view, scope }: WatchedTree,
  place: SafePath,
  entries: readonly Entry[],
): readonly Entry[] {
  const isInScope = nameFilter(scope, place);
  return view.visibleEntries(
    place,
    entries.filter(({ name, raw }) => raw === undefined && !isOwnTemporary(name) && isInScope(name)),
  );
}

/** Watches an open directory. Hints come from now on, so the caller must list the directory only afterwards. */
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

/** Marks the hinted name dirty. "." is the directory itself: it may have been deleted, which ends its watch. */
function onHint(tree: WatchedTree, node: WatchedDirectory, name: string): void {
  if (isOwnTemporary(name) || !node.watch) return;
  if (name !== ".") return markDirty(tree, node, [name]);
  if (!node.parent) return markDirty(tree, node);
  tree.unsureWatches.add(node);
  markDirty(tree, node.parent, [node.name]);
}

/**
 * Watches a directory again. A directory made right after another was deleted may have the same inode number and birth
 * time, so that only the end of the watch shows that it is a new one.
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

/** Marks names in a directory for the next reconciliation; without names, the whole directory. */
export function markDirty(tree: WatchedTree, node: WatchedDirectory, names?: Iterable<string>, tries = 0): void {
  if (!node.watch) return;
  const dirty = tree.dirty.get(node) ?? { names: new Set(), isAll: false, tries };
  tree.dirty.set(node, dirty);
  if (names === undefined) dirty.isAll = true;
  else for (const name of names) dirty.names.add(name);
  tree.wake();
}

/** Returns the last known place of a watched directory. */
export function watchedPlace({ scope }: WatchedTree, node: WatchedDirectory): SafePath {
  const names: string[] = [];
  for (let at = node; at.parent; at = at.parent) names.push(at.name);
  return names.reduceRight<SafePath>(childOf, scope.root);
}

/** Ends the watches of a directory and of all directories below it. */
export function removeWatch(tree: WatchedTree, node: WatchedDirectory): void {
  if (!node.watch) return;
  node.watch.close();
  node.watch = undefined;
  tree.allowance.directories--;
  tree.dirty.delete(node);
  tree.unsureWatches.delete(node);
  for (const inner of watchedChildren(node)) removeWatch(tree, inner);
}

/** Opens a watched directory. Returns undefined if it moved or was replaced. */
export async function openWatched(tree: WatchedTree, node: WatchedDirectory): Promise<DirectoryHandle | undefined> {
  const place = watchedPlace(tree, node);
  const directory = await openOrUndefined(tree.view, place);
  if (!directory) return undefined;
  if (directory.path === place && inodeIdOf(directory.facts()) === node.inodeId) return directory;
  directory.close();
  return undefined;
}

/** Returns undefined if the directory does not exist or must not be opened. */
async function openOrUndefined(view: View, place: SafePath): Promise<DirectoryHandle | undefined> {
  try {
    return await view.openDirectory(place);
  } catch (error) {
    if (isFault(error) && error.code !== "cancelled") return undefined;
    throw error;
  }
}
