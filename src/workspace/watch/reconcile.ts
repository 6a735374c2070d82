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

/** One change to one place. */
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
  /** Lists everything below a renamed directory, since it moved along. */
  readonly descendants: readonly Descendant[];
}

/** An entry below a renamed directory; `subpath` is relative to that directory. */
export interface Descendant {
  readonly subpath: string;
  readonly isDirectory: boolean;
}

/**
 * Compares everything marked dirty with its last known state and returns the differences as events. Hints may be late,
 * repeated or wrong, so they only say where to look. A reader that applies the events in order gets the right list of
 * names: first renames out of directories, then deletes, creates (a directory before its entries) and modifications.
 */
export async function reconcile(tree: WatchedTree): Promise<readonly FileEvent[]> {
  const found: Differences = { missing: [], added: [], modified: [] };
  const dirty = [...tree.dirty];
  tree.dirty.clear();
  if (!tree.root) await findRoot(tree, found);
  const unreachable: typeof dirty = [];
  for (const each of dirty) if (!(await compareDirectory(tree, ...each, found))) unreachable.push(each);
  const events = await matchRenames(tree, found);
  for (const each of unreachable) retryUnreachable(tree, ...each);
  return events;
}

interface Differences {
  readonly missing: MissingEntry[];
  readonly added: AddedEntry[];
  readonly modified: ChangedEntry[];
}

/** A file whose content or mode changed. */
interface ChangedEntry {
  readonly parent: WatchedDirectory;
  readonly name: string;
  readonly place: SafePath;
  readonly facts: Facts;
}

/** An entry that is no longer in its place. */
interface MissingEntry {
  readonly place: SafePath;
  readonly known: WatchedDirectory | InodeId;
  /** Is set for an entry below a missing directory: the directory that contains it. */
  readonly parent: WatchedDirectory | undefined;
  readonly name: string;
  hasMoved: boolean;
}

/** An entry that was not in its place before. */
interface AddedEntry extends ChangedEntry {
  /** Is true if it replaces another entry or is in a new directory: its event must follow that delete or create. */
  readonly mustComeLast: boolean;
}

/** Watches a root that has appeared again, and lists its entries as added. */
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

/** Lists all entries of a newly watched directory as added. */
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

/** Compares a directory. Returns false if it could not be opened; for the root, that means that everything is gone. */
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
    const candidates = isAll ? await allNames(node, directory) : [...names].map(entryNamed);
    for (const entry of relevantEntries(tree, directory.path, candidates)) {
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

/** Renews a watch that may have ended. A directory that cannot be opened now gets a hint from its parent later. */
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

/** Returns the current names and the last known names that are gone. */
async function allNames(node: WatchedDirectory, directory: DirectoryHandle): Promise<readonly Entry[]> {
  const there = await directory.entries();
  const listed = new Set(there.map(({ name }) => name));
  return [...there, ...[...entriesOf(node).keys()].filter((name) => !listed.has(name)).map(entryNamed)];
}

/** Makes an entry for `stat`, which ignores the kind given here. */
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
    const hasChanged = facts.kind !== "directory" && isModified(node, name, facts, isHinted);
    if (hasChanged) modified.push({ parent: node, name, place, facts });
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

/** Treats a replaced file as the same file, because editors save that way. A replaced directory is a different one. */
function isSameObject(was: WatchedDirectory | InodeId, facts: Facts): boolean {
  if (typeof was !== "number") return was.inodeId === inodeIdOf(facts);
  if (kindOfInode(was) !== facts.kind) return false;
  return facts.kind !== "directory" || !isKnownInode(was) || was === inodeIdOf(facts);
}

/** Compares content stamps. Without an earlier stamp, only a hint for this name counts as a modification. */
function isModified(node: WatchedDirectory, name: string, facts: Facts, isHinted: boolean): boolean {
  const before = node.contentStamps?.get(name);
  const now = contentStampOf(facts);
  if (before === now || (before === undefined && !isHinted)) return false;
  node.contentStamps ??= new Map();
  node.contentStamps.set(name, now);
  return true;
}

/** Matches added entries with missing ones by inode id, and puts all events in order. */
async function matchRenames(tree: WatchedTree, found: Differences): Promise<readonly FileEvent[]> {
  const missingByInode = byInode(found.missing);
  const movedOut: RenamedEvent[] = [];
  const appeared: FileEvent[] = [];
  const replaced = new Set(found.added.filter(({ mustComeLast }) => mustComeLast).map(({ place }) => place));
  const isLost = inMissingDirectory(found.missing);
  const modified = found.modified.filter((each) => !isLost(each) || retryLater(tree, each));
  // The list grows during the loop: `addEntry` appends the entries of a new directory.
  for (const entry of found.added) {
    if (isLost(entry) && !retryLater(tree, entry)) continue;
    const source = renameSourceOf(tree.scope, missingByInode, entry, replaced);
    if (source) (entry.mustComeLast ? appeared : movedOut).push(renameEntry(tree, source, entry));
    else appeared.push(...(await addEntry(tree, entry, found)));
  }
  const deleted = found.missing
    .filter(({ hasMoved }) => !hasMoved)
    .flatMap((each) => deletionsOf(tree, each.place, each.known));
  const others = modified.map(({ place, facts }): AppearedEvent => ({ type: "modify", place, facts }));
  return [...movedOut.toSorted(innermostFirst), ...deleted, ...appeared, ...others];
}

/** Creates a check for entries that were seen in a directory which turned out to be missing from its place. */
function inMissingDirectory(missing: readonly MissingEntry[]): (entry: ChangedEntry) => boolean {
  const gone = new Set(missing.map(({ known }) => known));
  return ({ parent }) => {
    for (let at: WatchedDirectory | null = parent; gone.size > 0 && at; at = at.parent) if (gone.has(at)) return true;
    return false;
  };
}

/** Marks the entry dirty again: if its directory only moved, the next reconciliation finds it in the new place. */
function retryLater(tree: WatchedTree, { parent, name }: ChangedEntry): false {
  parent.contentStamps?.delete(name);
  markDirty(tree, parent, [name]);
  return false;
}

const innermostFirst = (one: RenamedEvent, other: RenamedEvent): number => other.from.length - one.from.length;

/** Maps all missing entries, and everything that was below them, by inode id. */
function byInode(missing: readonly MissingEntry[]): Map<InodeId, MissingEntry> {
  const inodeIds = new Map<InodeId, MissingEntry>();
  const add = (each: MissingEntry): void => {
    inodeIds.set(typeof each.known === "number" ? each.known : each.known.inodeId, each);
    if (typeof each.known === "number") return;
    for (const [name, was] of entriesOf(each.known))
      add({ place: childOf(each.place, name), known: was, parent: each.known, name, hasMoved: false });
  };
  missing.forEach(add);
  return inodeIds;
}

/**
 * Finds the missing entry with the inode id of an added one. The id of an entry that was only listed belongs to no
 * object, so it never matches. If the event must come last, the source must still exist by then: it must not be in a
 * deleted directory, and no other entry may have replaced it.
 */
function renameSourceOf(
  scope: WatchScope,
  missingByInode: Map<InodeId, MissingEntry>,
  { facts, place, mustComeLast }: AddedEntry,
  replaced: ReadonlySet<SafePath>,
): MissingEntry | undefined {
  const source = missingByInode.get(inodeIdOf(facts));
  if (!source || source.hasMoved || (mustComeLast && (source.parent || replaced.has(source.place)))) return undefined;
  const isWatched = typeof source.known !== "number";
  return !isWatched || (scope.recursive && [source.place, place].every((at) => isWatchedDirectory(scope, at)))
    ? source
    : undefined;
}

/** Moves an entry with its watches. Marks a directory dirty, to find changes in it during the move next time. */
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

/** Adds an entry; watches and lists a directory. Returns no event if a directory has moved on since it was seen. */
async function addEntry(tree: WatchedTree, entry: AddedEntry, found: Differences): Promise<readonly AppearedEvent[]> {
  const { parent, name, place, facts } = entry;
  entriesOf(parent).set(name, inodeIdOf(facts));
  const isEntered = facts.kind === "directory" && isWatchedDirectory(tree.scope, place) && tree.view.mayOpen(place);
  if (isEntered && !(await watchNewDirectory(tree, entry, found))) {
    entriesOf(parent).delete(name);
    retryLater(tree, entry);
    return [];
  }
  return [{ type: "create", place, facts }];
}

/** Watches a new directory, opened from its parent. Returns false if the parent or the directory is no longer there. */
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
    // The directory may have moved while it was listed.
    const added = entriesOf(parent).get(name);
    if (typeof added === "object") markDirty(tree, added);
  } finally {
    directory?.close();
    above?.close();
  }
  return true;
}

/** Returns the deletes of an entry and of everything below it, entries before their directory. Ends their watches. */
function deletionsOf(tree: WatchedTree, place: SafePath, was: WatchedDirectory | InodeId): readonly DeletedEvent[] {
  const isDirectory = typeof was !== "number" || kindOfInode(was) === "directory";
  const self: DeletedEvent = { type: "delete", place, isDirectory };
  if (typeof was === "number") return [self];
  const inner = [...entriesOf(was)].flatMap(([name, each]) => deletionsOf(tree, childOf(place, name), each));
  removeWatch(tree, was);
  return [...inner, self];
}

/** Retries a limited number of times: the directory may be moving, and its old or new parent gets a hint, too. */
function retryUnreachable(tree: WatchedTree, node: WatchedDirectory, { names, isAll, tries }: DirtyNames): void {
  if (tries >= LIMITS.reconcileTries) return;
  markDirty(tree, node, names, tries + 1);
  if (isAll) markDirty(tree, node);
}
