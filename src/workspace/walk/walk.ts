import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { Entry, Facts, DirectoryHandle, SafePath } from "../../storage/storage.ts";
import { createIgnoreRules } from "../../text/glob/ignore.ts";
import { rulesFromAbove, rulesWithin } from "./ignore-files.ts";
import type { View } from "../view.ts";
import { createOpenDirectories, type OpenDirectoryRef, type OpenDirectories } from "./open-directories.ts";
import { createWalkQueue, type WalkQueue, type WalkFrame, type QueuedDirectory } from "./walk-queue.ts";

export interface WalkOptions {
  /** Are patterns as in a .gitignore of the directory where the walk begins. */
  readonly exclude: readonly string[];
  /** Includes what ignore files and the default list exclude. */
  readonly includeIgnored: boolean;
  readonly includeHidden: boolean;
  /** Is depth first ("deep"), which is faster, or breadth first ("near"). */
  readonly order: "deep" | "near";
  /** Returns false for a directory that is not to be opened. The path is relative to the start. */
  readonly enters?: (relativePath: string, depth: number) => boolean;
  readonly budget?: Partial<WalkBudget>;
}

/** Limits a walk. One that reaches a limit stops early and says so. */
export interface WalkBudget {
  readonly entries: number;
  readonly directories: number;
  readonly ms: number;
}

/** A directory during its visit. */
export interface VisitedDirectory {
  readonly place: SafePath;
  /** Is its entry in the parent directory; undefined at the start. */
  readonly entry: Entry | undefined;
  /** Is relative to the start, and empty there. */
  readonly relativePath: string;
  readonly depth: number;
  /** Holds the entries that are not hidden, ignored or blocked by a rule, in no particular order. */
  readonly entries: readonly Entry[];
  stat(entry: Entry): Facts | null;
}

/** Counts what a walk visited and what it could not see. */
export interface WalkResult {
  entries: number;
  directories: number;
  /** Counts directories that cannot be opened or vanished meanwhile. */
  unreadable: number;
  /** Counts entries that a rule blocks. */
  blocked: number;
  /** Counts hidden and ignored entries that were left out. */
  leftOut: number;
  /** Names the limit that ended the walk, and the directory that it would have opened next. */
  stopped?: { readonly by: keyof WalkBudget; readonly at: string };
}

/**
 * Visits every directory below a start. It follows no links, so there are no loops; it opens each directory from the
 * handle of its parent, so a swapped directory cannot lead elsewhere. `visit` returns false to end the walk.
 */
export async function walk(view: View, start: string, options: WalkOptions, visit: Visit): Promise<WalkResult> {
  const context = createWalkContext(view, options);
  try {
    const top = context.openDirectories.add(await view.openDirectory(start));
    const own = createIgnoreRules(options.exclude, !options.includeIgnored);
    const rules = options.includeIgnored ? own : await rulesFromAbove(view, own, top.directory.path);
    let goesOn = await visitDirectory(context, { entry: undefined, relativePath: "", depth: 0, rules }, top, visit);
    while (goesOn) {
      const pause = view.checkpoint();
      if (pause) await pause;
      const next = context.queue.next();
      if (!next || isOverBudget(context, next)) break;
      const visited = openAndVisit(context, next, visit);
      goesOn = typeof visited === "boolean" ? visited : await visited;
    }
    return context.result;
  } finally {
    context.openDirectories.end();
  }
}

/** Is called for every directory. Returns false to end the walk. */
export type Visit = (directory: VisitedDirectory) => boolean | void | Promise<boolean | void>;

interface WalkContext {
  readonly view: View;
  readonly options: WalkOptions;
  readonly budget: WalkBudget;
  readonly deadline: number;
  readonly result: WalkResult;
  readonly queue: WalkQueue;
  readonly openDirectories: OpenDirectories;
}

function createWalkContext(view: View, options: WalkOptions): WalkContext {
  const defaults = { entries: LIMITS.walkEntries, directories: LIMITS.walkDirectories, ms: LIMITS.walkMs };
  const budget = { ...defaults, ...options.budget };
  return {
    view,
    options,
    budget,
    deadline: performance.now() + budget.ms,
    result: { entries: 0, directories: 0, unreadable: 0, blocked: 0, leftOut: 0 },
    queue: createWalkQueue(options.order),
    openDirectories: createOpenDirectories(),
  };
}

function isOverBudget({ budget, result, deadline }: WalkContext, { relativePath }: QueuedDirectory): boolean {
  const by =
    (result.entries >= budget.entries && "entries") ||
    (result.directories >= budget.directories && "directories") ||
    (performance.now() >= deadline && "ms");
  if (by) result.stopped = { by, at: relativePath };
  return by !== false;
}

/** Opens and visits a directory. Returns false when the walk must end. */
function openAndVisit(context: WalkContext, next: QueuedDirectory, visit: Visit): boolean | Promise<boolean> {
  const found = openQueued(context, next);
  return found instanceof Promise
    ? found.then((ref) => !ref || visitDirectory(context, next, ref, visit))
    : !found || visitDirectory(context, next, found, visit);
}

/** Returns undefined if the directory cannot be opened or was replaced: the walk counts it and continues elsewhere. */
function openQueued(
  context: WalkContext,
  { entry, place, from }: QueuedDirectory,
): OpenDirectoryRef | undefined | Promise<OpenDirectoryRef | undefined> {
  if (!from) return openByPath(context, place);
  const { openDirectories } = context;
  try {
    return openDirectories.add(from.directory.openDirectory(entry));
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
    if (ref.directory.path === place) return ref;
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

/**
 * Visits one directory and queues the directories in it. Returns false when the walk must end. It and the functions
 * below return a promise only where they must wait, because a promise per directory would slow down the walk.
 */
function visitDirectory(
  context: WalkContext,
  frame: WalkFrame,
  ref: OpenDirectoryRef,
  visit: Visit,
): boolean | Promise<boolean> {
  const read = entriesIn(context, frame, ref.directory);
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
  const rulesHere = options.includeIgnored
    ? frame.rules
    : rulesWithin(view, frame.rules, ref.directory.path, frame.relativePath, found);
  if (rulesHere instanceof Promise)
    return rulesHere.then((rules) => filterAndVisit(context, { ...frame, rules }, ref, found, visit));
  return filterAndVisit(context, rulesHere === frame.rules ? frame : { ...frame, rules: rulesHere }, ref, found, visit);
}

/** Expects the rules of the frame to include those of the directory itself. */
function filterAndVisit(
  context: WalkContext,
  frame: WalkFrame,
  ref: OpenDirectoryRef,
  found: Entries,
  visit: Visit,
): boolean | Promise<boolean> {
  const kept = keptEntries(context, frame.rules.inDirectory(frame.relativePath), found);
  const shown = (entries: Entries): boolean | Promise<boolean> => {
    context.result.leftOut += found.length - entries.length;
    return visitEntries(context, frame, ref, entries, visit);
  };
  return kept instanceof Promise ? kept.then(shown) : shown(kept);
}

function visitEntries(
  context: WalkContext,
  frame: WalkFrame,
  ref: OpenDirectoryRef,
  entries: Entries,
  visit: Visit,
): boolean | Promise<boolean> {
  const verdict = visit(visitedAt(context, frame, ref, entries));
  return verdict instanceof Promise
    ? verdict.then((answer) => finishDirectory(context, frame, ref, entries, answer))
    : finishDirectory(context, frame, ref, entries, verdict);
}

function visitedAt(
  context: WalkContext,
  { entry, relativePath, depth }: WalkFrame,
  ref: OpenDirectoryRef,
  entries: Entries,
): VisitedDirectory {
  const { view, result } = context;
  result.entries += entries.length;
  result.directories++;
  view.progress(result.entries);
  const { path: place, stat } = ref.directory;
  return { place, entry, relativePath, depth, entries, stat };
}

function finishDirectory(
  context: WalkContext,
  frame: WalkFrame,
  ref: OpenDirectoryRef,
  entries: Entries,
  verdict: boolean | void,
): boolean {
  const goesOn = verdict !== false;
  if (goesOn) enqueueDirectories(context, frame, ref, entries);
  context.openDirectories.release(ref);
  return goesOn;
}

/** Reads the entries that the access rules admit. Returns undefined if the directory cannot be read. */
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

/** Filters many entries in slices with checkpoints in between, because ignore rules may be many and slow. */
function keptEntries(context: WalkContext, ignores: Ignores, entries: Entries): Entries | Promise<Entries> {
  if (entries.length > SLICE_ENTRIES) return filterInSlices(context, ignores, entries);
  return filterEntries(entries, ignores, context.options);
}

async function filterInSlices(context: WalkContext, ignores: Ignores, entries: Entries): Promise<Entries> {
  const kept: Entry[] = [];
  for (let from = 0; from < entries.length; from += SLICE_ENTRIES) {
    const pause = context.view.checkpoint();
    if (pause) await pause;
    for (const entry of filterEntries(entries.slice(from, from + SLICE_ENTRIES), ignores, context.options))
      kept.push(entry);
  }
  return kept;
}

const SLICE_ENTRIES = 64;

/** Returns true if an entry of one directory is ignored. */
type Ignores = (name: string, isDirectory: boolean) => boolean;

/** Drops hidden and ignored entries. */
const filterEntries = (entries: Entries, ignores: Ignores, { includeHidden }: WalkOptions): Entries =>
  entries.filter(({ name, kind }) => (includeHidden || !name.startsWith(".")) && !ignores(name, kind === "directory"));

function enqueueDirectories(context: WalkContext, frame: WalkFrame, ref: OpenDirectoryRef, entries: Entries): void {
  const { view, options, queue, openDirectories, result } = context;
  const { relativePath, depth, rules } = frame;
  const from = openDirectories.count < LIMITS.walkHandles ? ref : undefined;
  for (const entry of entries) {
    if (entry.kind !== "directory") continue;
    const next = relativePath === "" ? entry.name : `${relativePath}/${entry.name}`;
    if (options.enters?.(next, depth + 1) === false) continue;
    const place = childOf(ref.directory.path, entry.name);
    if (!view.mayOpen(place)) {
      result.blocked++;
      continue;
    }
    if (from) openDirectories.retain(from);
    queue.add({ entry, place, relativePath: next, depth: depth + 1, rules, from });
  }
}
