import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { Entry, Facts, DirectoryHandle, SafePath } from "../../storage/storage.ts";
import { createIgnoreRules } from "../../text/glob/ignore.ts";
import { rulesFromAbove, rulesWithin } from "./ignore-files.ts";
import { unpackEntries } from "./packed-entries.ts";
import type { JobOptions } from "./worker/run-job.ts";
import { type Ignores, filtered } from "./entry-filter.ts";
import type { View } from "../view.ts";
import { type ReadAhead, createReadAhead, type ReadAheadAnswer } from "./read-ahead.ts";
import { createOpenDirectories, type OpenDirectoryRef, type OpenDirectories } from "./open-directories.ts";
import { createWalkQueue, type WalkQueue, type WalkFrame, type QueuedDirectory } from "./walk-queue.ts";

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
  readonly readAhead?: Pick<JobOptions, "patterns" | "depth"> | undefined;
  readonly budget?: Partial<WalkBudget>;
}

/** What a walk may take before it says that it stopped early. */
export interface WalkBudget {
  readonly entries: number;
  readonly directories: number;
  readonly ms: number;
}

/** A directory on the way, open while it is visited. */
export interface VisitedDirectory {
  readonly place: SafePath;
  /** What was shown of it in the directory above; undefined at the start. */
  readonly entry: Entry | undefined;
  /** The path from the start; empty there. */
  readonly relativePath: string;
  readonly depth: number;
  /** What is neither hidden, ignored nor blocked by a rule, unless it was asked for. In no order. */
  readonly entries: readonly Entry[];
  /** How many there are: of what is wanted by patterns, only that may be among the entries, beside directories. */
  readonly count: number;
  stat(entry: Entry): Facts | null;
}

/** What a walk passed, and what it could not see. */
export interface WalkResult {
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
export async function walk(view: View, start: string, options: WalkOptions, visit: Visit): Promise<WalkResult> {
  const context = createWalkContext(view, options);
  try {
    const top = context.openDirectories.add(await view.openDirectory(start));
    const own = createIgnoreRules(options.exclude, !options.includeIgnored);
    const rules = options.includeIgnored ? own : await rulesFromAbove(view, own, top.place);
    let isWanted = await visitDirectory(context, { entry: undefined, relativePath: "", depth: 0, rules }, top, visit);
    while (isWanted) {
      const pause = view.checkpoint();
      if (pause) await pause;
      const next = context.queue.next();
      if (!next || isOverBudget(context, next)) break;
      const passed = visitNext(context, next, visit);
      isWanted = typeof passed === "boolean" ? passed : await passed;
    }
    return context.result;
  } finally {
    context.readAhead?.end();
    context.openDirectories.end();
  }
}

/** Called for every directory while it is open. */
export type Visit = (directory: VisitedDirectory) => boolean | void | Promise<boolean | void>;

interface WalkContext {
  readonly view: View;
  readonly options: WalkOptions;
  readonly budget: WalkBudget;
  readonly deadline: number;
  readonly result: WalkResult;
  readonly queue: WalkQueue;
  readonly openDirectories: OpenDirectories;
  readonly readAhead: ReadAhead | undefined;
}

function createWalkContext(view: View, options: WalkOptions): WalkContext {
  const usual = { entries: LIMITS.walkEntries, directories: LIMITS.walkDirectories, ms: LIMITS.walkMs };
  const budget = { ...usual, ...options.budget };
  const [waiting, holders] = [createWalkQueue(options.order), createOpenDirectories()];
  return {
    view,
    options,
    budget,
    deadline: performance.now() + budget.ms,
    result: { entries: 0, directories: 0, unreadable: 0, blocked: 0, leftOut: 0 },
    queue: waiting,
    openDirectories: holders,
    readAhead: readAheadFor(view, options, holders, waiting),
  };
}

/** Only for a walk that tells others the way, and goes deep: then its line knows what comes next. */
function readAheadFor(
  view: View,
  options: WalkOptions,
  holders: OpenDirectories,
  line: WalkQueue,
): ReadAhead | undefined {
  const { readAhead, order, includeHidden, includeIgnored } = options;
  const { worker } = view;
  if (!readAhead || !worker || order !== "deep") return undefined;
  return createReadAhead({
    view,
    worker,
    options: { ...readAhead, includeHidden, includeIgnored },
    openDirectories: holders,
    queue: line,
  });
}

function isOverBudget({ budget, result, deadline }: WalkContext, { relativePath }: QueuedDirectory): boolean {
  const by =
    (result.entries >= budget.entries && "entries") ||
    (result.directories >= budget.directories && "directories") ||
    (performance.now() >= deadline && "ms");
  if (by) result.stopped = { by, at: relativePath };
  return by !== false;
}

/** Passes the directory that is next. Whether the walk is to go on. */
function visitNext(context: WalkContext, next: QueuedDirectory, visit: Visit): boolean | Promise<boolean> {
  const { readAhead, result } = context;
  if (!readAhead || result.directories < LIMITS.readAheadAfter) return openAndVisit(context, next, visit);
  const known = readAhead.resultFor(next);
  return known instanceof Promise
    ? known.then((scouted) => visitPrefetched(context, next, scouted, visit))
    : visitPrefetched(context, next, known, visit);
}

/** What was read beside the walk is passed as if it had been read now: rules hide nothing there. */
function visitPrefetched(
  context: WalkContext,
  next: QueuedDirectory,
  known: ReadAheadAnswer,
  visit: Visit,
): boolean | Promise<boolean> {
  const { from, entry, place } = next;
  if (!known || !from) return openAndVisit(context, next, visit);
  const ref = context.openDirectories.addLazy(from, entry, place);
  context.openDirectories.release(from);
  const entries = typeof known.entries === "string" ? unpackEntries(known.entries) : known.entries;
  return visitContents(context, next, ref, { ...known, entries }, visit);
}

function openAndVisit(context: WalkContext, next: QueuedDirectory, visit: Visit): boolean | Promise<boolean> {
  const found = openQueued(context, next);
  return found instanceof Promise
    ? found.then((ref) => !ref || visitDirectory(context, next, ref, visit))
    : !found || visitDirectory(context, next, found, visit);
}

/** Nothing when it cannot be opened, or is no longer what it was: that spoils only this part of the walk. */
function openQueued(
  context: WalkContext,
  { entry, place, from }: QueuedDirectory,
): OpenDirectoryRef | undefined | Promise<OpenDirectoryRef | undefined> {
  if (!from) return openByPath(context, place);
  const { openDirectories } = context;
  try {
    return openDirectories.add(openDirectories.handleOf(from).openDirectory(entry));
  } catch (error) {
    return countUnreadable(context, error);
  } finally {
    openDirectories.release(from);
  }
}

async function openByPath(context: WalkContext, place: SafePath): Promise<OpenDirectoryRef | undefined> {
  const { openDirectories, result, view } = context;
  try {
    const ref = openDirectories.add(await view.openDirectory(place));
    if (ref.place === place) return ref;
    openDirectories.release(ref);
    result.unreadable++;
    return undefined;
  } catch (error) {
    return countUnreadable(context, error);
  }
}

function countUnreadable({ result }: WalkContext, error: unknown): undefined {
  if (!isFault(error) || error.code === "cancelled") throw error;
  result.unreadable++;
}

/** Shows one directory to the visitor and queues those within. Whether the walk is to go on; at once wherever that can be. */
function visitDirectory(
  context: WalkContext,
  frame: WalkFrame,
  ref: OpenDirectoryRef,
  visit: Visit,
): boolean | Promise<boolean> {
  const read = entriesIn(context, frame, context.openDirectories.handleOf(ref));
  return read instanceof Promise
    ? read.then((found) => applyIgnoreFiles(context, frame, ref, found, visit))
    : applyIgnoreFiles(context, frame, ref, read, visit);
}

function applyIgnoreFiles(
  context: WalkContext,
  frame: WalkFrame,
  ref: OpenDirectoryRef,
  found: ReadEntries,
  visit: Visit,
): boolean | Promise<boolean> {
  if (!found) {
    context.openDirectories.release(ref);
    return true;
  }
  const { view, options } = context;
  const given = options.includeIgnored
    ? frame.rules
    : rulesWithin(view, frame.rules, ref.place, frame.relativePath, found);
  if (given instanceof Promise)
    return given.then((rules) => filterAndVisit(context, { ...frame, rules }, ref, found, visit));
  return filterAndVisit(context, given === frame.rules ? frame : { ...frame, rules: given }, ref, found, visit);
}

/** The rules are by now those of the directory itself. */
function filterAndVisit(
  context: WalkContext,
  frame: WalkFrame,
  ref: OpenDirectoryRef,
  found: Entries,
  visit: Visit,
): boolean | Promise<boolean> {
  const kept = filterEntries(context, frame.rules.inDirectory(frame.relativePath), found);
  const shown = (entries: Entries): boolean | Promise<boolean> =>
    visitContents(context, frame, ref, { entries, totalCount: found.length, shownCount: entries.length }, visit);
  return kept instanceof Promise ? kept.then(shown) : shown(kept);
}

/** What is in a directory, how many entries that were, and how many are to be shown. */
interface DirectoryContents {
  readonly entries: Entries;
  readonly totalCount: number;
  readonly shownCount: number;
}

function visitContents(
  context: WalkContext,
  frame: WalkFrame,
  ref: OpenDirectoryRef,
  contents: DirectoryContents,
  visit: Visit,
): boolean | Promise<boolean> {
  const { entries } = contents;
  const verdict = visit(visitedAt(context, frame, ref, contents));
  return verdict instanceof Promise
    ? verdict.then((isWanted) => finishDirectory(context, frame, ref, entries, isWanted))
    : finishDirectory(context, frame, ref, entries, verdict);
}

function visitedAt(
  context: WalkContext,
  { entry, relativePath, depth }: WalkFrame,
  ref: OpenDirectoryRef,
  contents: DirectoryContents,
): VisitedDirectory {
  const { view, result, openDirectories } = context;
  const { entries, totalCount, shownCount } = contents;
  result.leftOut += totalCount - shownCount;
  result.entries += shownCount;
  result.directories++;
  view.progress(result.entries);
  const look = (each: Entry): Facts | null => openDirectories.handleOf(ref).stat(each);
  return { place: ref.place, entry, relativePath, depth, entries, count: shownCount, stat: look };
}

function finishDirectory(
  context: WalkContext,
  frame: WalkFrame,
  ref: OpenDirectoryRef,
  entries: Entries,
  verdict: boolean | void,
): boolean {
  const isWanted = verdict !== false;
  if (isWanted) enqueueDirectories(context, frame, ref, entries);
  context.openDirectories.release(ref);
  return isWanted;
}

/** Everything in a directory that the rules of the session admit; undefined where it may not be read. */
function entriesIn(
  context: WalkContext,
  { depth }: WalkFrame,
  directory: DirectoryHandle,
): ReadEntries | Promise<ReadEntries> {
  const admitted = (all: Entries): Entries => {
    const some = context.view.visibleEntries(directory.path, all);
    context.result.blocked += all.length - some.length;
    return some;
  };
  const failed = (error: unknown): undefined => {
    if (depth === 0) throw error;
    return countUnreadable(context, error);
  };
  try {
    const read = directory.entries();
    return read instanceof Promise ? read.then(admitted).catch(failed) : admitted(read);
  } catch (error) {
    return failed(error);
  }
}

type Entries = readonly Entry[];
type ReadEntries = Entries | undefined;

/** Of many entries some at a time: rules may be many and slow, too. */
function filterEntries(context: WalkContext, ignores: Ignores, entries: Entries): Entries | Promise<Entries> {
  if (entries.length > SLICE_ENTRIES) return filterInSlices(context, ignores, entries);
  return filtered(entries, ignores, context.options);
}

async function filterInSlices(context: WalkContext, ignores: Ignores, entries: Entries): Promise<Entries> {
  const kept: Entry[] = [];
  for (let from = 0; from < entries.length; from += SLICE_ENTRIES) {
    const pause = context.view.checkpoint();
    if (pause) await pause;
    for (const entry of filtered(entries.slice(from, from + SLICE_ENTRIES), ignores, context.options)) kept.push(entry);
  }
  return kept;
}

const SLICE_ENTRIES = 64;

function enqueueDirectories(context: WalkContext, frame: WalkFrame, ref: OpenDirectoryRef, entries: Entries): void {
  const { view, options, queue, openDirectories, result } = context;
  const { relativePath, depth, rules } = frame;
  const from = openDirectories.count < LIMITS.walkHandles ? ref : undefined;
  for (const entry of entries) {
    if (entry.kind !== "directory") continue;
    const next = relativePath === "" ? entry.name : `${relativePath}/${entry.name}`;
    if (options.enters?.(next, depth + 1) === false) continue;
    const place = childOf(ref.place, entry.name);
    if (!view.mayOpen(place)) {
      result.blocked++;
      continue;
    }
    if (from) openDirectories.retain(from);
    const reading = frame.pendingRead?.results?.has(next) ? frame.pendingRead : undefined;
    queue.add({ entry, place, relativePath: next, depth: depth + 1, rules, from, pendingRead: reading });
  }
}
