import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { Entry, Facts, HeldDirectory, SafePath } from "../../storage/storage.ts";
import { type Branch, entriesOf, unfold } from "./watched-directory.ts";
import { isKnown, kindIn, type Mark, markOf, stampOf } from "./inode-id.ts";
import { enters, type Scope } from "./scope.ts";
import {
  cut,
  doubt,
  type Doubt,
  known,
  passedOver,
  placeOf,
  plant,
  reached,
  rewatch,
  rootOf,
  type Tree,
} from "./watched-tree.ts";

/** One thing that happened to one place. */
export type Happening = Came | Went | Moved;

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
export async function settle(tree: Tree): Promise<readonly Happening[]> {
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
  readonly parent: Branch;
  readonly name: string;
  readonly place: SafePath;
  readonly facts: Facts;
}

/** Something that is no longer where it was. */
interface Gone {
  readonly place: SafePath;
  readonly was: Branch | Mark;
  /** Where it was found to be missing; below such a place, the branch that holds it. */
  readonly holder: Branch | undefined;
  readonly name: string;
  hasMoved: boolean;
}

/** Something that was not there before. */
interface Fresh extends Other {
  /** Something else was here, or the directory is new itself: it can only come once others went or came. */
  readonly isLate: boolean;
}

/** A root that is back, with all that is in it. */
async function findRoot(tree: Tree, found: Found): Promise<void> {
  const directory = await rootOf(tree);
  if (!directory) return;
  try {
    tree.root = plant(tree, directory, null, "");
    await list(tree, tree.root, directory, found);
  } finally {
    directory.close();
  }
}

/** Everything in a new branch is fresh. */
async function list(tree: Tree, branch: Branch, directory: HeldDirectory, { fresh }: Found): Promise<void> {
  for (const entry of known(tree, directory.path, await directory.entries())) {
    const pause = tree.view.breathe();
    if (pause) await pause;
    const facts = directory.look(entry);
    const place = childOf(directory.path, entry.name);
    if (facts) fresh.push({ parent: branch, name: entry.name, place, facts, isLate: true });
  }
}

/** False when the directory could not be reached. Of a root, that means that all is gone. */
async function compared(tree: Tree, branch: Branch, { names, isAll }: Doubt, found: Found): Promise<boolean> {
  if (!branch.watched) return true;
  const directory = await reached(tree, branch);
  if (!directory && branch === tree.root) loseRoot(tree, branch, found);
  if (!directory) return branch.parent === null;
  try {
    const asked = isAll ? await allNames(branch, directory) : [...names].map(entryNamed);
    for (const entry of known(tree, directory.path, asked)) {
      const pause = tree.view.breathe();
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
function renew(tree: Tree, branch: Branch, name: string, above: HeldDirectory): void {
  const inner = tree.unsure.size > 0 && entriesOf(branch).get(name);
  if (typeof inner !== "object" || !tree.unsure.has(inner)) return;
  try {
    rewatch(tree, inner, above);
  } catch (error) {
    if (isFault(error) && error.code === "too_many_watches") tree.isLossy = true;
    else passedOver(error);
  }
}

function loseRoot(tree: Tree, root: Branch, { gone }: Found): void {
  const top = placeOf(tree, root);
  for (const [name, was] of entriesOf(root))
    gone.push({ place: childOf(top, name), was, holder: undefined, name, hasMoved: false });
  unfold(root, new Map());
  cut(tree, root);
  tree.root = undefined;
}

/** Those that are there, and those that were. */
async function allNames(branch: Branch, directory: HeldDirectory): Promise<readonly Entry[]> {
  const there = await directory.entries();
  const listed = new Set(there.map(({ name }) => name));
  return [...there, ...[...entriesOf(branch).keys()].filter((name) => !listed.has(name)).map(entryNamed)];
}

/** For a look, which finds out itself what it is. */
const entryNamed = (name: string): Entry => ({ name, kind: "file" });

function compare(
  branch: Branch,
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
    if (typeof was === "number") entries.set(name, markOf(facts));
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
function isStill(was: Branch | Mark, facts: Facts): boolean {
  if (typeof was !== "number") return was.mark === markOf(facts);
  if (kindIn(was) !== facts.kind) return false;
  return facts.kind !== "directory" || !isKnown(was) || was === markOf(facts);
}

/** What was never looked at before can only be told by the hint. */
function isModified(branch: Branch, name: string, facts: Facts, isHinted: boolean): boolean {
  const before = branch.stamps?.get(name);
  const now = stampOf(facts);
  if (before === now || (before === undefined && !isHinted)) return false;
  branch.stamps ??= new Map();
  branch.stamps.set(name, now);
  return true;
}

/** Finds out what of the fresh is what of the gone, and puts all of it in order. */
async function matched(tree: Tree, found: Found): Promise<readonly Happening[]> {
  const leaving = byMark(found.gone);
  const movedOut: Moved[] = [];
  const coming: Happening[] = [];
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
    for (let at: Branch | null = parent; left.size > 0 && at; at = at.parent) if (left.has(at)) return true;
    return false;
  };
}

/** If the directory only moved, this is seen again where it is now. */
function lookLater(tree: Tree, { parent, name }: Other): false {
  parent.stamps?.delete(name);
  doubt(tree, parent, [name]);
  return false;
}

const innermostFirst = (one: Moved, other: Moved): number => other.from.length - one.from.length;

/** All that left, with what was in it, by what it was. */
function byMark(gone: readonly Gone[]): Map<Mark, Gone> {
  const marks = new Map<Mark, Gone>();
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
  scope: Scope,
  leaving: Map<Mark, Gone>,
  { facts, place, isLate }: Fresh,
  retaken: ReadonlySet<SafePath>,
): Gone | undefined {
  const source = leaving.get(markOf(facts));
  if (!source || source.hasMoved || (isLate && (source.holder || retaken.has(source.place)))) return undefined;
  const isWatched = typeof source.was !== "number";
  return !isWatched || (scope.recursive && [source.place, place].every((at) => enters(scope, at))) ? source : undefined;
}

/** Its watches go with it. What happened in it on the way is found out at the next look. */
function move(tree: Tree, source: Gone, { parent, name, place, facts }: Fresh): Moved {
  source.hasMoved = true;
  if (source.holder) entriesOf(source.holder).delete(source.name);
  const { was } = source;
  entriesOf(parent).set(name, typeof was === "number" ? markOf(facts) : was);
  if (typeof was === "number") return { type: "rename", from: source.place, place, facts, within: [] };
  was.parent = parent;
  was.name = name;
  if (tree.unsure.has(was)) doubt(tree, parent, [name]);
  return { type: "rename", from: source.place, place, facts, within: doubtAll(tree, was, "") };
}

function doubtAll(tree: Tree, branch: Branch, way: string): readonly Inner[] {
  doubt(tree, branch);
  return [...entriesOf(branch)].flatMap(([name, inner]): readonly Inner[] => {
    const next = way === "" ? name : `${way}/${name}`;
    if (typeof inner === "number") return [{ way: next, isDirectory: kindIn(inner) === "directory" }];
    return [{ way: next, isDirectory: true }, ...doubtAll(tree, inner, next)];
  });
}

/** Something new; a directory is watched and listed as well. One that moved on since it was seen has not come yet. */
async function arrive(tree: Tree, fresh: Fresh, found: Found): Promise<readonly Came[]> {
  const { parent, name, place, facts } = fresh;
  entriesOf(parent).set(name, markOf(facts));
  const isEntered = facts.kind === "directory" && enters(tree.scope, place) && tree.view.opens(place);
  if (isEntered && !(await branchOut(tree, fresh, found))) {
    entriesOf(parent).delete(name);
    lookLater(tree, fresh);
    return [];
  }
  return [{ type: "create", place, facts }];
}

/** Opened from the directory in which it was seen. False when that is no longer there, or this no longer in it. */
async function branchOut(tree: Tree, { parent, name, facts }: Fresh, found: Found): Promise<boolean> {
  const above = await reached(tree, parent);
  let directory: HeldDirectory | undefined;
  try {
    directory = above?.enter({ name, kind: "directory" });
    if (!directory || markOf(directory.facts()) !== markOf(facts)) return false;
    const branch = plant(tree, directory, parent, name);
    entriesOf(parent).set(name, branch);
    await list(tree, branch, directory, found);
  } catch (error) {
    if (isFault(error) && error.code === "too_many_watches") tree.isLossy = true;
    else passedOver(error);
    // It may have moved while it was listed.
    const planted = entriesOf(parent).get(name);
    if (typeof planted === "object") doubt(tree, planted);
  } finally {
    directory?.close();
    above?.close();
  }
  return true;
}

/** What is in a directory goes before it. */
function leave(tree: Tree, place: SafePath, was: Branch | Mark): readonly Went[] {
  const isDirectory = typeof was !== "number" || kindIn(was) === "directory";
  const self: Went = { type: "delete", place, isDirectory };
  if (typeof was === "number") return [self];
  const inner = [...entriesOf(was)].flatMap(([name, each]) => leave(tree, childOf(place, name), each));
  cut(tree, was);
  return [...inner, self];
}

/** It may have been on the move: the directories above are hinted at sooner or later. */
function lookAgain(tree: Tree, branch: Branch, { names, isAll, tries }: Doubt): void {
  if (tries >= LIMITS.settleTries) return;
  doubt(tree, branch, names, tries + 1);
  if (isAll) doubt(tree, branch);
}
