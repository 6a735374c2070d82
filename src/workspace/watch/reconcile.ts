import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { Entry, Facts, DirectoryHandle, SafePath } from "../../storage/storage.ts";
import { type WatchedDirectory, entriesOf, unfold } from "./watched-directory.ts";
import { isKnown, kindIn, type InodeId, inodeIdOf, contentStampOf } from "./inode-id.ts";
import { enters, type WatchScope } from "./scope.ts";
import {
  removeWatch,
  markDirty,
  type DirtyNames,
  known,
  passedOver,
  watchedPlace,
  addWatch,
  reached,
  renewWatch,
  rootOf,
  type WatchedTree,
} from "./watched-tree.ts";

/** One thing that happened to one place. */
export type FileEvent = Came | Went | Moved;

interface Came {
  readonly type: "create" | "modify";
  readonly place: SafePath;
  readonly facts: Facts;
}

interface Went {
  readonly type: "delete";
  readonly place: SafePath;
  readonly isDirectory: boolean;
}

interface Moved {
  readonly type: "rename";
  readonly from: SafePath;
  readonly place: SafePath;
  readonly facts: Facts;
  /** What is in it, where it is a directory: all of that moved along. */
  readonly within: readonly Inner[];
}

/** Something in a directory: the way to it, and whether it is a directory as well. */
export interface Inner {
  readonly way: string;
  readonly isDirectory: boolean;
}

/**
 * Looks at everything that was hinted at and says what happened since the last time. Hints may be late, doubled or
 * wrong: what is told is the difference between what was seen then and what is seen now. In such an order that a list
 * of names kept by it is right in the end: what moves out, what goes, what comes (a directory before what is in it),
 * what is another than before.
 */
export async function reconcile(tree: WatchedTree): Promise<readonly FileEvent[]> {
  const found: Found = { gone: [], fresh: [], modified: [] };
  const doubts = [...tree.doubts];
  tree.doubts.clear();
  if (!tree.root) await findRoot(tree, found);
  const missed: typeof doubts = [];
  for (const each of doubts) if (!(await compared(tree, ...each, found))) missed.push(each);
  const told = await matched(tree, found);
  for (const each of missed) lookAgain(tree, ...each);
  return told;
}

interface Found {
  readonly gone: Gone[];
  readonly fresh: Fresh[];
  readonly modified: Other[];
}

/** A file that is another than before. */
interface Other {
  readonly parent: WatchedDirectory;
  readonly name: string;
  readonly place: SafePath;
  readonly facts: Facts;
}

/** Something that is no longer where it was. */
interface Gone {
  readonly place: SafePath;
  readonly was: WatchedDirectory | InodeId;
  /** Where it was found to be missing; below such a place, the branch that holds it. */
  readonly holder: WatchedDirectory | undefined;
  readonly name: string;
  hasMoved: boolean;
}

/** Something that was not there before. */
interface Fresh extends Other {
  /** Something else was here, or the directory is new itself: it can only come once others went or came. */
  readonly isLate: boolean;
}

/** A root that is back, with all that is in it. */
async function findRoot(tree: WatchedTree, found: Found): Promise<void> {
  const directory = await rootOf(tree);
  if (!directory) return;
  try {
    tree.root = addWatch(tree, directory, null, "");
    await list(tree, tree.root, directory, found);
  } finally {
    directory.close();
  }
}

/** Everything in a new branch is fresh. */
async function list(
  tree: WatchedTree,
  branch: WatchedDirectory,
  directory: DirectoryHandle,
  { fresh }: Found,
): Promise<void> {
  for (const entry of known(tree, directory.path, await directory.entries())) {
    const pause = tree.view.checkpoint();
    if (pause) await pause;
    const facts = directory.look(entry);
    const place = childOf(directory.path, entry.name);
    if (facts) fresh.push({ parent: branch, name: entry.name, place, facts, isLate: true });
  }
}

/** False when the directory could not be reached. Of a root, that means that all is gone. */
async function compared(
  tree: WatchedTree,
  branch: WatchedDirectory,
  { names, isAll }: DirtyNames,
  found: Found,
): Promise<boolean> {
  if (!branch.watched) return true;
  const directory = await reached(tree, branch);
  if (!directory && branch === tree.root) loseRoot(tree, branch, found);
  if (!directory) return branch.parent === null;
  try {
    const asked = isAll ? await allNames(branch, directory) : [...names].map(entryNamed);
    for (const entry of known(tree, directory.path, asked)) {
      const pause = tree.view.checkpoint();
      if (pause) await pause;
      compare(branch, entry.name, directory.path, directory.look(entry), names.has(entry.name), found);
      renew(tree, branch, entry.name, directory);
    }
    return true;
  } finally {
    directory.close();
  }
}

/** What cannot be opened now is hinted at when it changes again, by the directory above it. */
function renew(tree: WatchedTree, branch: WatchedDirectory, name: string, above: DirectoryHandle): void {
  const inner = tree.unsure.size > 0 && entriesOf(branch).get(name);
  if (typeof inner !== "object" || !tree.unsure.has(inner)) return;
  try {
    renewWatch(tree, inner, above);
  } catch (error) {
    if (isFault(error) && error.code === "too_many_watches") tree.isLossy = true;
    else passedOver(error);
  }
}

function loseRoot(tree: WatchedTree, root: WatchedDirectory, { gone }: Found): void {
  const top = watchedPlace(tree, root);
  for (const [name, was] of entriesOf(root))
    gone.push({ place: childOf(top, name), was, holder: undefined, name, hasMoved: false });
  unfold(root, new Map());
  removeWatch(tree, root);
  tree.root = undefined;
}

/** Those that are there, and those that were. */
async function allNames(branch: WatchedDirectory, directory: DirectoryHandle): Promise<readonly Entry[]> {
  const there = await directory.entries();
  const listed = new Set(there.map(({ name }) => name));
  return [...there, ...[...entriesOf(branch).keys()].filter((name) => !listed.has(name)).map(entryNamed)];
}

/** For a look, which finds out itself what it is. */
const entryNamed = (name: string): Entry => ({ name, kind: "file" });

function compare(
  branch: WatchedDirectory,
  name: string,
  above: SafePath,
  facts: Facts | null,
  isHinted: boolean,
  { gone, fresh, modified }: Found,
): void {
  const entries = entriesOf(branch);
  const was = entries.get(name);
  const place = childOf(above, name);
  if (was !== undefined && facts && isStill(was, facts)) {
    const isOther = facts.kind !== "directory" && isModified(branch, name, facts, isHinted);
    if (isOther) modified.push({ parent: branch, name, place, facts });
    if (typeof was === "number") entries.set(name, inodeIdOf(facts));
    return;
  }
  if (was !== undefined) {
    gone.push({ place, was, holder: undefined, name, hasMoved: false });
    entries.delete(name);
    branch.stamps?.delete(name);
  }
  if (facts) fresh.push({ parent: branch, name, place, facts, isLate: was !== undefined });
}

/** A file that another took the place of is still that file: so do editors save. A directory is another one. */
function isStill(was: WatchedDirectory | InodeId, facts: Facts): boolean {
  if (typeof was !== "number") return was.mark === inodeIdOf(facts);
  if (kindIn(was) !== facts.kind) return false;
  return facts.kind !== "directory" || !isKnown(was) || was === inodeIdOf(facts);
}

/** What was never looked at before can only be told by the hint. */
function isModified(branch: WatchedDirectory, name: string, facts: Facts, isHinted: boolean): boolean {
  const before = branch.stamps?.get(name);
  const now = contentStampOf(facts);
  if (before === now || (before === undefined && !isHinted)) return false;
  branch.stamps ??= new Map();
  branch.stamps.set(name, now);
  return true;
}

/** Finds out what of the fresh is what of the gone, and puts all of it in order. */
async function matched(tree: WatchedTree, found: Found): Promise<readonly FileEvent[]> {
  const leaving = byMark(found.gone);
  const movedOut: Moved[] = [];
  const coming: FileEvent[] = [];
  const retaken = new Set(found.fresh.filter(({ isLate }) => isLate).map(({ place }) => place));
  const isLost = inLeft(found.gone);
  const modified = found.modified.filter((each) => !isLost(each) || lookLater(tree, each));
  // It grows while it is gone through: what is in a fresh directory is fresh.
  for (const fresh of found.fresh) {
    if (isLost(fresh) && !lookLater(tree, fresh)) continue;
    const source = sourceOf(tree.scope, leaving, fresh, retaken);
    if (source) (fresh.isLate ? coming : movedOut).push(move(tree, source, fresh));
    else coming.push(...(await arrive(tree, fresh, found)));
  }
  const went = found.gone.filter(({ hasMoved }) => !hasMoved).flatMap((each) => leave(tree, each.place, each.was));
  const others = modified.map(({ place, facts }): Came => ({ type: "modify", place, facts }));
  return [...movedOut.toSorted(innermostFirst), ...went, ...coming, ...others];
}

/** Tells what was seen in a directory that turned out to have left meanwhile. */
function inLeft(gone: readonly Gone[]): (seen: Other) => boolean {
  const left = new Set(gone.map(({ was }) => was));
  return ({ parent }) => {
    for (let at: WatchedDirectory | null = parent; left.size > 0 && at; at = at.parent) if (left.has(at)) return true;
    return false;
  };
}

/** If the directory only moved, this is seen again where it is now. */
function lookLater(tree: WatchedTree, { parent, name }: Other): false {
  parent.stamps?.delete(name);
  markDirty(tree, parent, [name]);
  return false;
}

const innermostFirst = (one: Moved, other: Moved): number => other.from.length - one.from.length;

/** All that left, with what was in it, by what it was. */
function byMark(gone: readonly Gone[]): Map<InodeId, Gone> {
  const marks = new Map<InodeId, Gone>();
  const add = (each: Gone): void => {
    marks.set(typeof each.was === "number" ? each.was : each.was.mark, each);
    if (typeof each.was === "number") return;
    for (const [name, was] of entriesOf(each.was))
      add({ place: childOf(each.place, name), was, holder: each.was, name, hasMoved: false });
  };
  gone.forEach(add);
  return marks;
}

/**
 * What was only listed has a mark that no object has, so it is never found here. What can only come late must still be
 * where it was by then: not in a directory that goes, and nothing else in its place.
 */
function sourceOf(
  scope: WatchScope,
  leaving: Map<InodeId, Gone>,
  { facts, place, isLate }: Fresh,
  retaken: ReadonlySet<SafePath>,
): Gone | undefined {
  const source = leaving.get(inodeIdOf(facts));
  if (!source || source.hasMoved || (isLate && (source.holder || retaken.has(source.place)))) return undefined;
  const isWatched = typeof source.was !== "number";
  return !isWatched || (scope.recursive && [source.place, place].every((at) => enters(scope, at))) ? source : undefined;
}

/** Its watches go with it. What happened in it on the way is found out at the next look. */
function move(tree: WatchedTree, source: Gone, { parent, name, place, facts }: Fresh): Moved {
  source.hasMoved = true;
  if (source.holder) entriesOf(source.holder).delete(source.name);
  const { was } = source;
  entriesOf(parent).set(name, typeof was === "number" ? inodeIdOf(facts) : was);
  if (typeof was === "number") return { type: "rename", from: source.place, place, facts, within: [] };
  was.parent = parent;
  was.name = name;
  if (tree.unsure.has(was)) markDirty(tree, parent, [name]);
  return { type: "rename", from: source.place, place, facts, within: doubtAll(tree, was, "") };
}

function doubtAll(tree: WatchedTree, branch: WatchedDirectory, way: string): readonly Inner[] {
  markDirty(tree, branch);
  return [...entriesOf(branch)].flatMap(([name, inner]): readonly Inner[] => {
    const next = way === "" ? name : `${way}/${name}`;
    if (typeof inner === "number") return [{ way: next, isDirectory: kindIn(inner) === "directory" }];
    return [{ way: next, isDirectory: true }, ...doubtAll(tree, inner, next)];
  });
}

/** Something new; a directory is watched and listed as well. One that moved on since it was seen has not come yet. */
async function arrive(tree: WatchedTree, fresh: Fresh, found: Found): Promise<readonly Came[]> {
  const { parent, name, place, facts } = fresh;
  entriesOf(parent).set(name, inodeIdOf(facts));
  const isEntered = facts.kind === "directory" && enters(tree.scope, place) && tree.view.opens(place);
  if (isEntered && !(await branchOut(tree, fresh, found))) {
    entriesOf(parent).delete(name);
    lookLater(tree, fresh);
    return [];
  }
  return [{ type: "create", place, facts }];
}

/** Opened from the directory in which it was seen. False when that is no longer there, or this no longer in it. */
async function branchOut(tree: WatchedTree, { parent, name, facts }: Fresh, found: Found): Promise<boolean> {
  const above = await reached(tree, parent);
  let directory: DirectoryHandle | undefined;
  try {
    directory = above?.enter({ name, kind: "directory" });
    if (!directory || inodeIdOf(directory.facts()) !== inodeIdOf(facts)) return false;
    const branch = addWatch(tree, directory, parent, name);
    entriesOf(parent).set(name, branch);
    await list(tree, branch, directory, found);
  } catch (error) {
    if (isFault(error) && error.code === "too_many_watches") tree.isLossy = true;
    else passedOver(error);
    // It may have moved while it was listed.
    const planted = entriesOf(parent).get(name);
    if (typeof planted === "object") markDirty(tree, planted);
  } finally {
    directory?.close();
    above?.close();
  }
  return true;
}

/** What is in a directory goes before it. */
function leave(tree: WatchedTree, place: SafePath, was: WatchedDirectory | InodeId): readonly Went[] {
  const isDirectory = typeof was !== "number" || kindIn(was) === "directory";
  const self: Went = { type: "delete", place, isDirectory };
  if (typeof was === "number") return [self];
  const inner = [...entriesOf(was)].flatMap(([name, each]) => leave(tree, childOf(place, name), each));
  removeWatch(tree, was);
  return [...inner, self];
}

/** It may have been on the move: the directories above are hinted at sooner or later. */
function lookAgain(tree: WatchedTree, branch: WatchedDirectory, { names, isAll, tries }: DirtyNames): void {
  if (tries >= LIMITS.settleTries) return;
  markDirty(tree, branch, names, tries + 1);
  if (isAll) markDirty(tree, branch);
}
