import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { Entry, Facts, DirectoryHandle, SafePath } from "../../storage/storage.ts";
import { type WatchedDirectory, entriesOf, setEntries } from "./watched-directory.ts";
import { isKnownInode, kindOfInode, type InodeId, inodeIdOf, contentStampOf } from "./inode-id.ts";
import { isWatchedDirectory, type WatchScope } from "./watch-scope.ts";
import {
  removeWatch,
  markDirty,
  type DirtyNames,
  relevantEntries,
  skipUnreadable,
  watchedPlace,
  addWatch,
  openWatched,
  renewWatch,
  openRoot,
  type WatchedTree,
} from "./watched-tree.ts";

/** One thing that happened to one place. */
export type FileEvent = AppearedEvent | DeletedEvent | RenamedEvent;

interface AppearedEvent {
  readonly type: "create" | "modify";
  readonly place: SafePath;
  readonly facts: Facts;
}

interface DeletedEvent {
  readonly type: "delete";
  readonly place: SafePath;
  readonly isDirectory: boolean;
}

interface RenamedEvent {
  readonly type: "rename";
  readonly from: SafePath;
  readonly place: SafePath;
  readonly facts: Facts;
  /** What is in it, where it is a directory: all of that moved along. */
  readonly descendants: readonly Descendant[];
}

/** Something in a directory: the way to it, and whether it is a directory as well. */
export interface Descendant {
  readonly subpath: string;
  readonly isDirectory: boolean;
}

/**
 * Looks at everything that was hinted at and says what happened since the last time. Hints may be late, doubled or
 * wrong: what is told is the difference between what was seen then and what is seen now. In such an order that a list
 * of names kept by it is right in the end: what moves out, what goes, what comes (a directory before what is in it),
 * what is another than before.
 */
export async function reconcile(tree: WatchedTree): Promise<readonly FileEvent[]> {
  const found: Differences = { missing: [], added: [], modified: [] };
  const dirty = [...tree.dirty];
  tree.dirty.clear();
  if (!tree.root) await findRoot(tree, found);
  const missed: typeof dirty = [];
  for (const each of dirty) if (!(await compareDirectory(tree, ...each, found))) missed.push(each);
  const events = await matchRenames(tree, found);
  for (const each of missed) retryUnreachable(tree, ...each);
  return events;
}

interface Differences {
  readonly missing: MissingEntry[];
  readonly added: AddedEntry[];
  readonly modified: ChangedEntry[];
}

/** A file that is another than before. */
interface ChangedEntry {
  readonly parent: WatchedDirectory;
  readonly name: string;
  readonly place: SafePath;
  readonly facts: Facts;
}

/** Something that is no longer where it was. */
interface MissingEntry {
  readonly place: SafePath;
  readonly known: WatchedDirectory | InodeId;
  /** Where it was found to be missing; below such a place, the branch that holds it. */
  readonly parent: WatchedDirectory | undefined;
  readonly name: string;
  hasMoved: boolean;
}

/** Something that was not there before. */
interface AddedEntry extends ChangedEntry {
  /** Something else was here, or the directory is new itself: it can only come once others went or came. */
  readonly mustComeLast: boolean;
}

/** A root that is back, with all that is in it. */
async function findRoot(tree: WatchedTree, found: Differences): Promise<void> {
  const directory = await openRoot(tree);
  if (!directory) return;
  try {
    tree.root = addWatch(tree, directory, null, "");
    await listAdded(tree, tree.root, directory, found);
  } finally {
    directory.close();
  }
}

/** Everything in a new branch is fresh. */
async function listAdded(
  tree: WatchedTree,
  node: WatchedDirectory,
  directory: DirectoryHandle,
  { added }: Differences,
): Promise<void> {
  for (const entry of relevantEntries(tree, directory.path, await directory.entries())) {
    const pause = tree.view.checkpoint();
    if (pause) await pause;
    const facts = directory.stat(entry);
    const place = childOf(directory.path, entry.name);
    if (facts) added.push({ parent: node, name: entry.name, place, facts, mustComeLast: true });
  }
}

/** False when the directory could not be reached. Of a root, that means that all is gone. */
async function compareDirectory(
  tree: WatchedTree,
  node: WatchedDirectory,
  { names, isAll }: DirtyNames,
  found: Differences,
): Promise<boolean> {
  if (!node.watch) return true;
  const directory = await openWatched(tree, node);
  if (!directory && node === tree.root) loseRoot(tree, node, found);
  if (!directory) return node.parent === null;
  try {
    const asked = isAll ? await allNames(node, directory) : [...names].map(entryNamed);
    for (const entry of relevantEntries(tree, directory.path, asked)) {
      const pause = tree.view.checkpoint();
      if (pause) await pause;
      compareEntry(node, entry.name, directory.path, directory.stat(entry), names.has(entry.name), found);
      renewIfUnsure(tree, node, entry.name, directory);
    }
    return true;
  } finally {
    directory.close();
  }
}

/** What cannot be opened now is hinted at when it changes again, by the directory above it. */
function renewIfUnsure(tree: WatchedTree, node: WatchedDirectory, name: string, above: DirectoryHandle): void {
  const inner = tree.unsureWatches.size > 0 && entriesOf(node).get(name);
  if (typeof inner !== "object" || !tree.unsureWatches.has(inner)) return;
  try {
    renewWatch(tree, inner, above);
  } catch (error) {
    if (isFault(error) && error.code === "too_many_watches") tree.isLossy = true;
    else skipUnreadable(error);
  }
}

function loseRoot(tree: WatchedTree, root: WatchedDirectory, { missing }: Differences): void {
  const top = watchedPlace(tree, root);
  for (const [name, was] of entriesOf(root))
    missing.push({ place: childOf(top, name), known: was, parent: undefined, name, hasMoved: false });
  setEntries(root, new Map());
  removeWatch(tree, root);
  tree.root = undefined;
}

/** Those that are there, and those that were. */
async function allNames(node: WatchedDirectory, directory: DirectoryHandle): Promise<readonly Entry[]> {
  const there = await directory.entries();
  const listed = new Set(there.map(({ name }) => name));
  return [...there, ...[...entriesOf(node).keys()].filter((name) => !listed.has(name)).map(entryNamed)];
}

/** For a look, which finds out itself what it is. */
const entryNamed = (name: string): Entry => ({ name, kind: "file" });

function compareEntry(
  node: WatchedDirectory,
  name: string,
  above: SafePath,
  facts: Facts | null,
  isHinted: boolean,
  { missing, added, modified }: Differences,
): void {
  const entries = entriesOf(node);
  const was = entries.get(name);
  const place = childOf(above, name);
  if (was !== undefined && facts && isSameObject(was, facts)) {
    const isOther = facts.kind !== "directory" && isModified(node, name, facts, isHinted);
    if (isOther) modified.push({ parent: node, name, place, facts });
    if (typeof was === "number") entries.set(name, inodeIdOf(facts));
    return;
  }
  if (was !== undefined) {
    missing.push({ place, known: was, parent: undefined, name, hasMoved: false });
    entries.delete(name);
    node.contentStamps?.delete(name);
  }
  if (facts) added.push({ parent: node, name, place, facts, mustComeLast: was !== undefined });
}

/** A file that another took the place of is still that file: so do editors save. A directory is another one. */
function isSameObject(was: WatchedDirectory | InodeId, facts: Facts): boolean {
  if (typeof was !== "number") return was.inodeId === inodeIdOf(facts);
  if (kindOfInode(was) !== facts.kind) return false;
  return facts.kind !== "directory" || !isKnownInode(was) || was === inodeIdOf(facts);
}

/** What was never looked at before can only be told by the hint. */
function isModified(node: WatchedDirectory, name: string, facts: Facts, isHinted: boolean): boolean {
  const before = node.contentStamps?.get(name);
  const now = contentStampOf(facts);
  if (before === now || (before === undefined && !isHinted)) return false;
  node.contentStamps ??= new Map();
  node.contentStamps.set(name, now);
  return true;
}

/** Finds out what of the fresh is what of the gone, and puts all of it in order. */
async function matchRenames(tree: WatchedTree, found: Differences): Promise<readonly FileEvent[]> {
  const leaving = byInode(found.missing);
  const movedOut: RenamedEvent[] = [];
  const coming: FileEvent[] = [];
  const retaken = new Set(found.added.filter(({ mustComeLast }) => mustComeLast).map(({ place }) => place));
  const isLost = inMissingDirectory(found.missing);
  const modified = found.modified.filter((each) => !isLost(each) || retryLater(tree, each));
  // It grows while it is gone through: what is in a fresh directory is fresh.
  for (const fresh of found.added) {
    if (isLost(fresh) && !retryLater(tree, fresh)) continue;
    const source = renameSourceOf(tree.scope, leaving, fresh, retaken);
    if (source) (fresh.mustComeLast ? coming : movedOut).push(renameEntry(tree, source, fresh));
    else coming.push(...(await addEntry(tree, fresh, found)));
  }
  const went = found.missing
    .filter(({ hasMoved }) => !hasMoved)
    .flatMap((each) => deletionsOf(tree, each.place, each.known));
  const others = modified.map(({ place, facts }): AppearedEvent => ({ type: "modify", place, facts }));
  return [...movedOut.toSorted(innermostFirst), ...went, ...coming, ...others];
}

/** Tells what was seen in a directory that turned out to have left meanwhile. */
function inMissingDirectory(gone: readonly MissingEntry[]): (seen: ChangedEntry) => boolean {
  const left = new Set(gone.map(({ known }) => known));
  return ({ parent }) => {
    for (let at: WatchedDirectory | null = parent; left.size > 0 && at; at = at.parent) if (left.has(at)) return true;
    return false;
  };
}

/** If the directory only moved, this is seen again where it is now. */
function retryLater(tree: WatchedTree, { parent, name }: ChangedEntry): false {
  parent.contentStamps?.delete(name);
  markDirty(tree, parent, [name]);
  return false;
}

const innermostFirst = (one: RenamedEvent, other: RenamedEvent): number => other.from.length - one.from.length;

/** All that left, with what was in it, by what it was. */
function byInode(gone: readonly MissingEntry[]): Map<InodeId, MissingEntry> {
  const inodeIds = new Map<InodeId, MissingEntry>();
  const add = (each: MissingEntry): void => {
    inodeIds.set(typeof each.known === "number" ? each.known : each.known.inodeId, each);
    if (typeof each.known === "number") return;
    for (const [name, was] of entriesOf(each.known))
      add({ place: childOf(each.place, name), known: was, parent: each.known, name, hasMoved: false });
  };
  gone.forEach(add);
  return inodeIds;
}

/**
 * What was only listed has a mark that no object has, so it is never found here. What can only come late must still be
 * where it was by then: not in a directory that goes, and nothing else in its place.
 */
function renameSourceOf(
  scope: WatchScope,
  leaving: Map<InodeId, MissingEntry>,
  { facts, place, mustComeLast }: AddedEntry,
  retaken: ReadonlySet<SafePath>,
): MissingEntry | undefined {
  const source = leaving.get(inodeIdOf(facts));
  if (!source || source.hasMoved || (mustComeLast && (source.parent || retaken.has(source.place)))) return undefined;
  const isWatched = typeof source.known !== "number";
  return !isWatched || (scope.recursive && [source.place, place].every((at) => isWatchedDirectory(scope, at)))
    ? source
    : undefined;
}

/** Its watches go with it. What happened in it on the way is found out at the next look. */
function renameEntry(
  tree: WatchedTree,
  source: MissingEntry,
  { parent, name, place, facts }: AddedEntry,
): RenamedEvent {
  source.hasMoved = true;
  if (source.parent) entriesOf(source.parent).delete(source.name);
  const { known } = source;
  entriesOf(parent).set(name, typeof known === "number" ? inodeIdOf(facts) : known);
  if (typeof known === "number") return { type: "rename", from: source.place, place, facts, descendants: [] };
  known.parent = parent;
  known.name = name;
  if (tree.unsureWatches.has(known)) markDirty(tree, parent, [name]);
  return { type: "rename", from: source.place, place, facts, descendants: markTreeDirty(tree, known, "") };
}

function markTreeDirty(tree: WatchedTree, node: WatchedDirectory, relativePath: string): readonly Descendant[] {
  markDirty(tree, node);
  return [...entriesOf(node)].flatMap(([name, inner]): readonly Descendant[] => {
    const next = relativePath === "" ? name : `${relativePath}/${name}`;
    if (typeof inner === "number") return [{ subpath: next, isDirectory: kindOfInode(inner) === "directory" }];
    return [{ subpath: next, isDirectory: true }, ...markTreeDirty(tree, inner, next)];
  });
}

/** Something new; a directory is watched and listed as well. One that moved on since it was seen has not come yet. */
async function addEntry(tree: WatchedTree, fresh: AddedEntry, found: Differences): Promise<readonly AppearedEvent[]> {
  const { parent, name, place, facts } = fresh;
  entriesOf(parent).set(name, inodeIdOf(facts));
  const isEntered = facts.kind === "directory" && isWatchedDirectory(tree.scope, place) && tree.view.mayOpen(place);
  if (isEntered && !(await watchNewDirectory(tree, fresh, found))) {
    entriesOf(parent).delete(name);
    retryLater(tree, fresh);
    return [];
  }
  return [{ type: "create", place, facts }];
}

/** Opened from the directory in which it was seen. False when that is no longer there, or this no longer in it. */
async function watchNewDirectory(
  tree: WatchedTree,
  { parent, name, facts }: AddedEntry,
  found: Differences,
): Promise<boolean> {
  const above = await openWatched(tree, parent);
  let directory: DirectoryHandle | undefined;
  try {
    directory = above?.openDirectory({ name, kind: "directory" });
    if (!directory || inodeIdOf(directory.facts()) !== inodeIdOf(facts)) return false;
    const node = addWatch(tree, directory, parent, name);
    entriesOf(parent).set(name, node);
    await listAdded(tree, node, directory, found);
  } catch (error) {
    if (isFault(error) && error.code === "too_many_watches") tree.isLossy = true;
    else skipUnreadable(error);
    // It may have moved while it was listed.
    const added = entriesOf(parent).get(name);
    if (typeof added === "object") markDirty(tree, added);
  } finally {
    directory?.close();
    above?.close();
  }
  return true;
}

/** What is in a directory goes before it. */
function deletionsOf(tree: WatchedTree, place: SafePath, was: WatchedDirectory | InodeId): readonly DeletedEvent[] {
  const isDirectory = typeof was !== "number" || kindOfInode(was) === "directory";
  const self: DeletedEvent = { type: "delete", place, isDirectory };
  if (typeof was === "number") return [self];
  const inner = [...entriesOf(was)].flatMap(([name, each]) => deletionsOf(tree, childOf(place, name), each));
  removeWatch(tree, was);
  return [...inner, self];
}

/** It may have been on the move: the directories above are hinted at sooner or later. */
function retryUnreachable(tree: WatchedTree, node: WatchedDirectory, { names, isAll, tries }: DirtyNames): void {
  if (tries >= LIMITS.reconcileTries) return;
  markDirty(tree, node, names, tries + 1);
  if (isAll) markDirty(tree, node);
}
