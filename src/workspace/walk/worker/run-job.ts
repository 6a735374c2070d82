import { isFault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { sharedDirectory } from "../../../storage/local/jail/shared-directory.ts";
import type { Entry, DirectoryHandle, SafePath } from "../../../storage/storage.ts";
import { globsOf } from "../../../text/glob/glob.ts";
import { ignoreRulesFrom, type IgnoreRules } from "../../../text/glob/ignore.ts";
import { ignoreFilesAmong } from "../ignore-file-names.ts";
import { createPathMatcher, type PathMatcher } from "../path-matcher.ts";
import { filtered } from "../entry-filter.ts";

/** What a walk says of itself, so that directories can be read before it comes to them. */
export interface JobOptions {
  readonly includeIgnored: boolean;
  readonly includeHidden: boolean;
  /** What is wanted; all of it where there are none. */
  readonly patterns?: readonly string[] | undefined;
  /** Directories so deep are not opened. */
  readonly depth: number;
}

/** Directories to read, with what is below them. */
export interface Job extends JobOptions {
  readonly targets: readonly JobTarget[];
  /** The ignore rules that hold there. */
  readonly serializedRules: string;
}

export interface JobTarget {
  /** The directory that holds it, and where that is. */
  readonly shared: string;
  readonly place: SafePath;
  readonly name: string;
  /** The path from where the walk began, and how many names that are. */
  readonly relativePath: string;
  readonly depth: number;
}

/** A directory as it was read: what was in it, and what of that is to be shown. */
export interface ReadAheadResult {
  readonly totalCount: number;
  readonly shownCount: number;
  /** Of those, what is wanted, and all directories. Packed where it comes from another thread. */
  readonly entries: readonly Entry[] | string;
}

/** What was read, by the way to it; null where the walk itself has to look. What is missing was not come to. */
export type ReadAheadResults = ReadonlyMap<string, ReadAheadResult | null>;

/**
 * Reads directories and those below them, as many as one errand covers. Whatever is not plain is left to the walk, as
 * is what cannot be read.
 */
export function runJob(job: Job, isOff: () => boolean = () => false): ReadAheadResults {
  const state: JobState = { ...jobRulesFor(job), isCancelled: isOff, results: new Map(), entries: 0 };
  for (const { shared, place, ...goal } of job.targets) enter(state, sharedDirectory(shared, place), goal, 0);
  return state.results;
}

/** What is the same for all errands of one walk. */
interface JobRules {
  readonly options: JobOptions;
  readonly rules: IgnoreRules;
  readonly matcher: PathMatcher | undefined;
}

interface JobState extends JobRules {
  readonly isCancelled: () => boolean;
  readonly results: Map<string, ReadAheadResult | null>;
  entries: number;
}

/** The last one: a walk sends many errands, and patterns take longer to understand than to compare. */
let lastRules: { readonly key: string; readonly rules: JobRules } | undefined;

function jobRulesFor({ serializedRules, patterns, includeHidden, includeIgnored, depth }: Job): JobRules {
  const leads = { patterns, includeHidden, includeIgnored, depth };
  const key = `${JSON.stringify(leads)} ${serializedRules}`;
  if (lastRules?.key !== key) {
    const globs = patterns?.flatMap((pattern) => globsOf(pattern, "pattern"));
    const matcher = globs && createPathMatcher(globs, includeHidden);
    lastRules = { key, rules: { options: leads, matcher, rules: ignoreRulesFrom(serializedRules) } };
  }
  return lastRules.rules;
}

/** A directory that a trip comes to. */
type DirectoryTarget = Pick<JobTarget, "name" | "relativePath" | "depth">;

function enter(
  state: JobState,
  from: Pick<DirectoryHandle, "openDirectory">,
  target: DirectoryTarget,
  held: number,
): void {
  if (isEnough(state) || held >= LIMITS.walkHandles) return;
  state.results.set(target.relativePath, null);
  const directory = undefinedOnFault(() => from.openDirectory({ name: target.name, kind: "directory" }));
  if (!directory) return;
  try {
    const entries = undefinedOnFault(directory.entriesSync);
    if (entries) readDirectory(state, directory, target, entries, held);
  } finally {
    directory.close();
  }
}

const isEnough = ({ results, entries, isCancelled }: JobState): boolean =>
  results.size >= LIMITS.readAheadDirectories || entries >= LIMITS.readAheadEntries || isCancelled();

function undefinedOnFault<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

/** The last directory first, as a walk does. */
function readDirectory(
  state: JobState,
  directory: DirectoryHandle,
  target: DirectoryTarget,
  found: readonly Entry[],
  held: number,
): void {
  const { options, matcher } = state;
  const { relativePath, depth } = target;
  const addsRules = !options.includeIgnored && ignoreFilesAmong(found).length > 0;
  if (addsRules || found.some(({ raw }) => raw !== undefined)) return;
  const entries = recordDirectory(state, relativePath, found);
  if (depth + 1 >= options.depth) return;
  for (let at = entries.length - 1; at >= 0; at--) {
    const { name, kind } = entries[at] as Entry;
    const next = `${relativePath}/${name}`;
    if (kind !== "directory" || matcher?.enters(next) === false) continue;
    enter(state, directory, { name, relativePath: next, depth: depth + 1 }, held + 1);
  }
}

/** Gives what is wanted, and all directories. */
function recordDirectory(state: JobState, relativePath: string, found: readonly Entry[]): readonly Entry[] {
  const { options, rules, matcher } = state;
  const fits = matcher?.entryMatcher(relativePath);
  const kept = filtered(found, rules.inDirectory(relativePath), options);
  const entries = fits ? kept.filter((entry) => entry.kind === "directory" || fits(entry)) : kept;
  state.results.set(relativePath, { totalCount: found.length, shownCount: kept.length, entries });
  state.entries += found.length;
  return entries;
}
