import { isFault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { childOf } from "../base/paths.ts";
import type { Entry, Facts, HeldDirectory, SafePath } from "../storage/storage.ts";
import { createIgnoreRules, type IgnoreRules } from "../text/ignore.ts";
import { rulesFromAbove, rulesWithin } from "./ignore-files.ts";
import type { View } from "./view.ts";

export interface WalkWish {
  /** Patterns as in a .gitignore of the directory where the walk begins. */
  readonly exclude: readonly string[];
  /** Also what .gitignore, .ignore and the usual list leave out. */
  readonly includeIgnored: boolean;
  readonly includeHidden: boolean;
  /** "deep" is the quick way through everything; "near" goes level by level. */
  readonly order: "deep" | "near";
  /** Whether to open a directory at all; `way` leads to it from the start. */
  readonly enters?: (way: string, depth: number) => boolean;
  readonly budget?: Partial<WalkBudget>;
}

/** What a walk may take before it says that it stopped early. */
export interface WalkBudget {
  readonly entries: number;
  readonly directories: number;
  readonly ms: number;
}

/** A directory on the way, open while it is visited. */
export interface Visited {
  readonly place: SafePath;
  /** What was shown of it in the directory above; undefined at the start. */
  readonly entry: Entry | undefined;
  /** The path from the start; empty there. */
  readonly way: string;
  readonly depth: number;
  /** What is neither hidden, ignored nor blocked by a rule, unless it was asked for. In no order. */
  readonly entries: readonly Entry[];
  look(entry: Entry): Facts | null;
}

/** What a walk passed, and what it could not see. */
export interface Walked {
  entries: number;
  directories: number;
  /** Directories that may not be opened, or went away meanwhile. */
  unreadable: number;
  /** Entries that a rule blocks. */
  blocked: number;
  /** Entries left out because they are hidden or ignored. */
  leftOut: number;
  /** Which budget ended the walk, and the directory that it would have opened next. */
  stopped?: { readonly by: keyof WalkBudget; readonly at: string };
}

/**
 * Goes through everything below a directory. No link is followed, so there are no loops; each directory is opened from
 * the one that holds it, so no swap leads elsewhere. `visit` answers false when it has seen enough.
 */
export async function walk(view: View, start: string, wish: WalkWish, visit: Visit): Promise<Walked> {
  const course = createCourse(view, wish);
  try {
    const top = hold(course, await view.hold(start));
    const own = createIgnoreRules(wish.exclude, !wish.includeIgnored);
    const rules = wish.includeIgnored ? own : await rulesFromAbove(view, own, top.directory.path);
    let isWanted = await pass(course, { entry: undefined, way: "", depth: 0, rules }, top, visit);
    while (isWanted) {
      const pause = view.breathe();
      if (pause) await pause;
      const next = course.waiting.next();
      if (!next || isSpent(course, next)) break;
      const found = opened(course, next);
      const holder = found instanceof Promise ? await found : found;
      const passed = holder ? pass(course, next, holder, visit) : true;
      isWanted = typeof passed === "boolean" ? passed : await passed;
    }
    return course.walked;
  } finally {
    for (const { directory } of course.open) directory.close();
  }
}

/** Called for every directory while it is open. */
export type Visit = (directory: Visited) => boolean | void | Promise<boolean | void>;

/** A directory that stays open for as long as some of its own wait. */
interface Holder {
  readonly directory: HeldDirectory;
  uses: number;
}

/** Where a directory lies, and the rules that hold there. */
interface Spot {
  readonly entry: Entry | undefined;
  readonly way: string;
  readonly depth: number;
  readonly rules: IgnoreRules;
}

interface Waiting extends Spot {
  readonly entry: Entry;
  readonly place: SafePath;
  /** Where it is opened from; undefined where too many are open already. */
  readonly from: Holder | undefined;
}

interface Course {
  readonly view: View;
  readonly wish: WalkWish;
  readonly budget: WalkBudget;
  readonly endsAt: number;
  readonly walked: Walked;
  readonly waiting: Line;
  readonly open: Set<Holder>;
}

function createCourse(view: View, wish: WalkWish): Course {
  const usual = { entries: LIMITS.walkEntries, directories: LIMITS.walkDirectories, ms: LIMITS.walkMs };
  const budget = { ...usual, ...wish.budget };
  return {
    view,
    wish,
    budget,
    endsAt: performance.now() + budget.ms,
    walked: { entries: 0, directories: 0, unreadable: 0, blocked: 0, leftOut: 0 },
    waiting: createLine(wish.order),
    open: new Set(),
  };
}

interface Line {
  add(waiting: Waiting): void;
  next(): Waiting | undefined;
}

function createLine(order: WalkWish["order"]): Line {
  const line: (Waiting | undefined)[] = [];
  let first = 0;
  return {
    add: (waiting) => void line.push(waiting),
    next() {
      if (order === "deep") return line.pop();
      const next = line[first];
      line[first++] = undefined;
      return next;
    },
  };
}

function hold({ open }: Course, directory: HeldDirectory): Holder {
  const holder = { directory, uses: 1 };
  open.add(holder);
  return holder;
}

function release({ open }: Course, holder: Holder): void {
  if (--holder.uses > 0) return;
  open.delete(holder);
  holder.directory.close();
}

function isSpent({ budget, walked, endsAt }: Course, { way }: Waiting): boolean {
  const by =
    (walked.entries >= budget.entries && "entries") ||
    (walked.directories >= budget.directories && "directories") ||
    (performance.now() >= endsAt && "ms");
  if (by) walked.stopped = { by, at: way };
  return by !== false;
}

/** Nothing when it cannot be opened, or is no longer what it was: that spoils only this part of the walk. */
function opened(course: Course, { entry, place, from }: Waiting): Holder | undefined | Promise<Holder | undefined> {
  if (!from) return openedByPath(course, place);
  try {
    return hold(course, from.directory.enter(entry));
  } catch (error) {
    return passedOver(course, error);
  } finally {
    release(course, from);
  }
}

async function openedByPath(course: Course, place: SafePath): Promise<Holder | undefined> {
  try {
    const holder = hold(course, await course.view.hold(place));
    if (holder.directory.path === place) return holder;
    release(course, holder);
    course.walked.unreadable++;
    return undefined;
  } catch (error) {
    return passedOver(course, error);
  }
}

function passedOver({ walked }: Course, error: unknown): undefined {
  if (!isFault(error) || error.code === "cancelled") throw error;
  walked.unreadable++;
}

/** Shows one directory to the visitor and queues those within. Whether the walk is to go on; at once wherever that can be. */
function pass(course: Course, spot: Spot, holder: Holder, visit: Visit): boolean | Promise<boolean> {
  const read = entriesIn(course, spot, holder.directory);
  return read instanceof Promise
    ? read.then((found) => passFound(course, spot, holder, found, visit))
    : passFound(course, spot, holder, read, visit);
}

function passFound(course: Course, spot: Spot, holder: Holder, found: Read, visit: Visit): boolean | Promise<boolean> {
  if (!found) {
    release(course, holder);
    return true;
  }
  const { view, wish } = course;
  const given = wish.includeIgnored
    ? spot.rules
    : rulesWithin(view, spot.rules, holder.directory.path, spot.way, found);
  if (given instanceof Promise) return given.then((rules) => show(course, { ...spot, rules }, holder, found, visit));
  return show(course, given === spot.rules ? spot : { ...spot, rules: given }, holder, found, visit);
}

/** The rules are by now those of the directory itself. */
function show(course: Course, spot: Spot, holder: Holder, found: Entries, visit: Visit): boolean | Promise<boolean> {
  const sifted = sift(course, spot.rules.at(spot.way), found);
  const visited = (entries: Entries): boolean | Promise<boolean> => {
    const verdict = visit(visitedAt(course, spot, holder, found.length, entries));
    return verdict instanceof Promise
      ? verdict.then((isWanted) => leave(course, spot, holder, entries, isWanted))
      : leave(course, spot, holder, entries, verdict);
  };
  return sifted instanceof Promise ? sifted.then(visited) : visited(sifted);
}

function visitedAt(
  { view, walked }: Course,
  { entry, way, depth }: Spot,
  { directory }: Holder,
  found: number,
  entries: Entries,
): Visited {
  walked.leftOut += found - entries.length;
  walked.entries += entries.length;
  walked.directories++;
  view.progress(walked.entries);
  return { place: directory.path, entry, way, depth, entries, look: directory.look };
}

function leave(course: Course, spot: Spot, holder: Holder, entries: Entries, verdict: boolean | void): boolean {
  const isWanted = verdict !== false;
  if (isWanted) queue(course, spot, holder, entries);
  release(course, holder);
  return isWanted;
}

/** Everything in a directory that the rules of the session admit; undefined where it may not be read. */
function entriesIn(course: Course, { depth }: Spot, directory: HeldDirectory): Read | Promise<Read> {
  const admitted = (all: Entries): Entries => {
    const some = course.view.admitted(directory.path, all);
    course.walked.blocked += all.length - some.length;
    return some;
  };
  const failed = (error: unknown): undefined => {
    if (depth === 0) throw error;
    return passedOver(course, error);
  };
  try {
    const read = directory.entries();
    return read instanceof Promise ? read.then(admitted).catch(failed) : admitted(read);
  } catch (error) {
    return failed(error);
  }
}

type Entries = readonly Entry[];
type Read = Entries | undefined;
type Ignores = (name: string, isDirectory: boolean) => boolean;

/** Leaves out what is hidden or ignored. Of many entries some at a time: rules may be many and slow, too. */
function sift(course: Course, ignores: Ignores, entries: Entries): Entries | Promise<Entries> {
  if (entries.length > BREATH) return siftSlowly(course, ignores, entries);
  const { includeHidden } = course.wish;
  return entries.filter(
    ({ name, kind }) => (includeHidden || !name.startsWith(".")) && !ignores(name, kind === "directory"),
  );
}

async function siftSlowly(course: Course, ignores: Ignores, entries: Entries): Promise<Entries> {
  const kept: Entry[] = [];
  for (let from = 0; from < entries.length; from += BREATH) {
    const pause = course.view.breathe();
    if (pause) await pause;
    for (const entry of await sift(course, ignores, entries.slice(from, from + BREATH))) kept.push(entry);
  }
  return kept;
}

const BREATH = 64;

function queue(course: Course, { way, depth, rules }: Spot, holder: Holder, entries: Entries): void {
  const { view, wish, waiting, open, walked } = course;
  const from = open.size < LIMITS.walkHeld ? holder : undefined;
  for (const entry of entries) {
    if (entry.kind !== "directory") continue;
    const next = way === "" ? entry.name : `${way}/${entry.name}`;
    if (wish.enters?.(next, depth + 1) === false) continue;
    const place = childOf(holder.directory.path, entry.name);
    if (!view.opens(place)) {
      walked.blocked++;
      continue;
    }
    if (from) from.uses++;
    waiting.add({ entry, place, way: next, depth: depth + 1, rules, from });
  }
}
