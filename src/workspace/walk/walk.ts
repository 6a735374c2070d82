import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { Entry, Facts, DirectoryHandle, SafePath } from "../../storage/storage.ts";
import { createIgnoreRules } from "../../text/glob/ignore.ts";
import { rulesFromAbove, rulesWithin } from "./ignore-files.ts";
import { unpacked } from "./packed-entries.ts";
import type { JobOptions } from "./worker/job-state.ts";
import { type Ignores, filtered } from "./filter.ts";
import type { View } from "../view.ts";
import { type ReadAhead, createReadAhead, type Known } from "./read-ahead.ts";
import { createOpenDirectories, type OpenDirectoryRef, type OpenDirectories } from "./open-directories.ts";
import { createWalkQueue, type WalkQueue, type WalkFrame, type QueuedDirectory } from "./queue.ts";

export interface WalkOptions {
  /** Patterns as in a .gitignore of the directory where the walk begins. */
  readonly exclude: readonly string[];
  /** Also what .gitignore, .ignore and the usual list leave out. */
  readonly includeIgnored: boolean;
  readonly includeHidden: boolean;
  /** "deep" is the quick way through everything; "near" goes level by level. */
  readonly order: "deep" | "near";
  /** Whether to open a directory at all; `way` leads to it from the start. */
  readonly enters?: (way: string, depth: number) => boolean;
  /**
   * The same as data, for whoever reads directories beside the walk: of what is in these, only what fits is shown to
   * the visitor, who must not look at it.
   */
  readonly leads?: Pick<JobOptions, "patterns" | "depth"> | undefined;
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
  /** How many there are: of what is wanted by patterns, only that may be among the entries, beside directories. */
  readonly count: number;
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
export async function walk(view: View, start: string, wish: WalkOptions, visit: Visit): Promise<Walked> {
  const course = createWalkContext(view, wish);
  try {
    const top = course.holders.hold(await view.hold(start));
    const own = createIgnoreRules(wish.exclude, !wish.includeIgnored);
    const rules = wish.includeIgnored ? own : await rulesFromAbove(view, own, top.place);
    let isWanted = await pass(course, { entry: undefined, way: "", depth: 0, rules }, top, visit);
    while (isWanted) {
      const pause = view.checkpoint();
      if (pause) await pause;
      const next = course.waiting.next();
      if (!next || isSpent(course, next)) break;
      const passed = advance(course, next, visit);
      isWanted = typeof passed === "boolean" ? passed : await passed;
    }
    return course.walked;
  } finally {
    course.ahead?.end();
    course.holders.end();
  }
}

/** Called for every directory while it is open. */
export type Visit = (directory: Visited) => boolean | void | Promise<boolean | void>;

interface WalkContext {
  readonly view: View;
  readonly wish: WalkOptions;
  readonly budget: WalkBudget;
  readonly endsAt: number;
  readonly walked: Walked;
  readonly waiting: WalkQueue;
  readonly holders: OpenDirectories;
  readonly ahead: ReadAhead | undefined;
}

function createWalkContext(view: View, wish: WalkOptions): WalkContext {
  const usual = { entries: LIMITS.walkEntries, directories: LIMITS.walkDirectories, ms: LIMITS.walkMs };
  const budget = { ...usual, ...wish.budget };
  const [waiting, holders] = [createWalkQueue(wish.order), createOpenDirectories()];
  return {
    view,
    wish,
    budget,
    endsAt: performance.now() + budget.ms,
    walked: { entries: 0, directories: 0, unreadable: 0, blocked: 0, leftOut: 0 },
    waiting,
    holders,
    ahead: aheadOf(view, wish, holders, waiting),
  };
}

/** Only for a walk that tells others the way, and goes deep: then its line knows what comes next. */
function aheadOf(view: View, wish: WalkOptions, holders: OpenDirectories, line: WalkQueue): ReadAhead | undefined {
  const { leads, order, includeHidden, includeIgnored } = wish;
  const { worker } = view;
  if (!leads || !worker || order !== "deep") return undefined;
  return createReadAhead({ view, worker, leads: { ...leads, includeHidden, includeIgnored }, holders, line });
}

function isSpent({ budget, walked, endsAt }: WalkContext, { way }: QueuedDirectory): boolean {
  const by =
    (walked.entries >= budget.entries && "entries") ||
    (walked.directories >= budget.directories && "directories") ||
    (performance.now() >= endsAt && "ms");
  if (by) walked.stopped = { by, at: way };
  return by !== false;
}

/** Passes the directory that is next. Whether the walk is to go on. */
function advance(course: WalkContext, next: QueuedDirectory, visit: Visit): boolean | Promise<boolean> {
  const { ahead, walked } = course;
  if (!ahead || walked.directories < LIMITS.scoutAfter) return enter(course, next, visit);
  const known = ahead.known(next);
  return known instanceof Promise
    ? known.then((scouted) => passKnown(course, next, scouted, visit))
    : passKnown(course, next, known, visit);
}

/** What was read beside the walk is passed as if it had been read now: rules hide nothing there. */
function passKnown(course: WalkContext, next: QueuedDirectory, known: Known, visit: Visit): boolean | Promise<boolean> {
  const { from, entry, place } = next;
  if (!known || !from) return enter(course, next, visit);
  const holder = course.holders.promise(from, entry, place);
  course.holders.release(from);
  const entries = typeof known.entries === "string" ? unpacked(known.entries) : known.entries;
  return present(course, next, holder, { ...known, entries }, visit);
}

function enter(course: WalkContext, next: QueuedDirectory, visit: Visit): boolean | Promise<boolean> {
  const found = opened(course, next);
  return found instanceof Promise
    ? found.then((holder) => !holder || pass(course, next, holder, visit))
    : !found || pass(course, next, found, visit);
}

/** Nothing when it cannot be opened, or is no longer what it was: that spoils only this part of the walk. */
function opened(
  course: WalkContext,
  { entry, place, from }: QueuedDirectory,
): OpenDirectoryRef | undefined | Promise<OpenDirectoryRef | undefined> {
  if (!from) return openedByPath(course, place);
  const { holders } = course;
  try {
    return holders.hold(holders.opened(from).enter(entry));
  } catch (error) {
    return passedOver(course, error);
  } finally {
    holders.release(from);
  }
}

async function openedByPath(course: WalkContext, place: SafePath): Promise<OpenDirectoryRef | undefined> {
  const { holders, walked, view } = course;
  try {
    const holder = holders.hold(await view.hold(place));
    if (holder.place === place) return holder;
    holders.release(holder);
    walked.unreadable++;
    return undefined;
  } catch (error) {
    return passedOver(course, error);
  }
}

function passedOver({ walked }: WalkContext, error: unknown): undefined {
  if (!isFault(error) || error.code === "cancelled") throw error;
  walked.unreadable++;
}

/** Shows one directory to the visitor and queues those within. Whether the walk is to go on; at once wherever that can be. */
function pass(
  course: WalkContext,
  site: WalkFrame,
  holder: OpenDirectoryRef,
  visit: Visit,
): boolean | Promise<boolean> {
  const read = entriesIn(course, site, course.holders.opened(holder));
  return read instanceof Promise
    ? read.then((found) => passFound(course, site, holder, found, visit))
    : passFound(course, site, holder, read, visit);
}

function passFound(
  course: WalkContext,
  site: WalkFrame,
  holder: OpenDirectoryRef,
  found: Read,
  visit: Visit,
): boolean | Promise<boolean> {
  if (!found) {
    course.holders.release(holder);
    return true;
  }
  const { view, wish } = course;
  const given = wish.includeIgnored ? site.rules : rulesWithin(view, site.rules, holder.place, site.way, found);
  if (given instanceof Promise) return given.then((rules) => show(course, { ...site, rules }, holder, found, visit));
  return show(course, given === site.rules ? site : { ...site, rules: given }, holder, found, visit);
}

/** The rules are by now those of the directory itself. */
function show(
  course: WalkContext,
  site: WalkFrame,
  holder: OpenDirectoryRef,
  found: Entries,
  visit: Visit,
): boolean | Promise<boolean> {
  const kept = sift(course, site.rules.at(site.way), found);
  const shown = (entries: Entries): boolean | Promise<boolean> =>
    present(course, site, holder, { entries, found: found.length, kept: entries.length }, visit);
  return kept instanceof Promise ? kept.then(shown) : shown(kept);
}

/** What is in a directory, how many entries that were, and how many are to be shown. */
interface Contents {
  readonly entries: Entries;
  readonly found: number;
  readonly kept: number;
}

function present(
  course: WalkContext,
  site: WalkFrame,
  holder: OpenDirectoryRef,
  contents: Contents,
  visit: Visit,
): boolean | Promise<boolean> {
  const { entries } = contents;
  const verdict = visit(visitedAt(course, site, holder, contents));
  return verdict instanceof Promise
    ? verdict.then((isWanted) => leave(course, site, holder, entries, isWanted))
    : leave(course, site, holder, entries, verdict);
}

function visitedAt(
  course: WalkContext,
  { entry, way, depth }: WalkFrame,
  holder: OpenDirectoryRef,
  contents: Contents,
): Visited {
  const { view, walked, holders } = course;
  const { entries, found, kept } = contents;
  walked.leftOut += found - kept;
  walked.entries += kept;
  walked.directories++;
  view.progress(walked.entries);
  const look = (each: Entry): Facts | null => holders.opened(holder).look(each);
  return { place: holder.place, entry, way, depth, entries, count: kept, look };
}

function leave(
  course: WalkContext,
  site: WalkFrame,
  holder: OpenDirectoryRef,
  entries: Entries,
  verdict: boolean | void,
): boolean {
  const isWanted = verdict !== false;
  if (isWanted) queue(course, site, holder, entries);
  course.holders.release(holder);
  return isWanted;
}

/** Everything in a directory that the rules of the session admit; undefined where it may not be read. */
function entriesIn(course: WalkContext, { depth }: WalkFrame, directory: DirectoryHandle): Read | Promise<Read> {
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

/** Of many entries some at a time: rules may be many and slow, too. */
function sift(course: WalkContext, ignores: Ignores, entries: Entries): Entries | Promise<Entries> {
  if (entries.length > BREATH) return siftSlowly(course, ignores, entries);
  return filtered(entries, ignores, course.wish);
}

async function siftSlowly(course: WalkContext, ignores: Ignores, entries: Entries): Promise<Entries> {
  const kept: Entry[] = [];
  for (let from = 0; from < entries.length; from += BREATH) {
    const pause = course.view.checkpoint();
    if (pause) await pause;
    for (const entry of filtered(entries.slice(from, from + BREATH), ignores, course.wish)) kept.push(entry);
  }
  return kept;
}

const BREATH = 64;

function queue(course: WalkContext, site: WalkFrame, holder: OpenDirectoryRef, entries: Entries): void {
  const { view, wish, waiting, holders, walked } = course;
  const { way, depth, rules } = site;
  const from = holders.count < LIMITS.walkHeld ? holder : undefined;
  for (const entry of entries) {
    if (entry.kind !== "directory") continue;
    const next = way === "" ? entry.name : `${way}/${entry.name}`;
    if (wish.enters?.(next, depth + 1) === false) continue;
    const place = childOf(holder.place, entry.name);
    if (!view.opens(place)) {
      walked.blocked++;
      continue;
    }
    if (from) holders.use(from);
    const reading = site.reading?.found?.has(next) ? site.reading : undefined;
    waiting.add({ entry, place, way: next, depth: depth + 1, rules, from, reading });
  }
}
