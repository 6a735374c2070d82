import { isFault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { sharedDirectory } from "../../../storage/local/jail/shared-directory.ts";
import type { Entry, DirectoryHandle, SafePath } from "../../../storage/storage.ts";
import { globsOf } from "../../../text/glob/glob.ts";
import { ignoreRulesFrom, type IgnoreRules } from "../../../text/glob/ignore.ts";
import { ignoreFilesAmong } from "../ignore-file-names.ts";
import { createPathMatcher, type PathMatcher } from "../path-matcher.ts";
import { filterEntries } from "../entry-filter.ts";

/** Describes a walk, so that a worker reads and filters directories as the walk would. */
export interface JobOptions {
  readonly includeIgnored: boolean;
  readonly includeHidden: boolean;
  /** Select entries; without patterns, all are selected. */
  readonly patterns?: readonly string[] | undefined;
  /** Limits the depth; directories at this depth are not opened. */
  readonly depth: number;
}

/** Lists directories to read, with everything below them. */
export interface Job extends JobOptions {
  readonly targets: readonly JobTarget[];
  /** Holds the ignore rules that apply to all targets. */
  readonly serializedRules: string;
}

export interface JobTarget {
  /** Identifies the open parent directory across threads; `place` is the path of that parent. */
  readonly shared: string;
  readonly place: SafePath;
  readonly name: string;
  /** Is relative to the start of the walk; `depth` counts its names. */
  readonly relativePath: string;
  readonly depth: number;
}

/** Holds the entries of one directory; counts all of them, and those that are not hidden or ignored. */
export interface ReadAheadResult {
  readonly totalCount: number;
  readonly shownCount: number;
  /** Holds the entries that match the patterns, and all directories. Is packed if it comes from the other thread. */
  readonly entries: readonly Entry[] | string;
}

/** Maps relative paths to results; null if the walk has to read the directory. A missing one was not reached. */
export type ReadAheadResults = ReadonlyMap<string, ReadAheadResult | null>;

/**
 * Reads directories depth first up to the limits of one job. It leaves to the walk every directory that cannot be read,
 * that has ignore files of its own, or that has a name which is not valid UTF-8.
 */
export function runJob(job: Job, isCancelled: () => boolean = () => false): ReadAheadResults {
  const state: JobState = { ...jobRulesFor(job), isCancelled, results: new Map(), entries: 0 };
  for (const { shared, place, ...target } of job.targets) enter(state, sharedDirectory(shared, place), target, 0);
  return state.results;
}

/** Holds what all jobs of one walk have in common. */
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

/** Caches the rules of the last job: a walk sends many jobs, and patterns are slower to compile than to compare. */
let lastRules: { readonly key: string; readonly rules: JobRules } | undefined;

function jobRulesFor({ serializedRules, patterns, includeHidden, includeIgnored, depth }: Job): JobRules {
  const options = { patterns, includeHidden, includeIgnored, depth };
  const key = `${JSON.stringify(options)} ${serializedRules}`;
  if (lastRules?.key !== key) {
    const globs = patterns?.flatMap((pattern) => globsOf(pattern, "pattern"));
    const matcher = globs && createPathMatcher(globs, includeHidden);
    lastRules = { key, rules: { options, matcher, rules: ignoreRulesFrom(serializedRules) } };
  }
  return lastRules.rules;
}

type DirectoryTarget = Pick<JobTarget, "name" | "relativePath" | "depth">;

function enter(
  state: JobState,
  from: Pick<DirectoryHandle, "openDirectory">,
  target: DirectoryTarget,
  openCount: number,
): void {
  if (isEnough(state) || openCount >= LIMITS.walkHandles) return;
  state.results.set(target.relativePath, null);
  const directory = undefinedOnFault(() => from.openDirectory({ name: target.name, kind: "directory" }));
  if (!directory) return;
  try {
    const entries = undefinedOnFault(directory.entriesSync);
    if (entries) readDirectory(state, directory, target, entries, openCount);
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

/** Records one directory and enters those in it, the last one first, as the walk does. */
function readDirectory(
  state: JobState,
  directory: DirectoryHandle,
  target: DirectoryTarget,
  found: readonly Entry[],
  openCount: number,
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
    enter(state, directory, { name, relativePath: next, depth: depth + 1 }, openCount + 1);
  }
}

/** Records and returns the entries that match the patterns, and all directories. */
function recordDirectory(state: JobState, relativePath: string, found: readonly Entry[]): readonly Entry[] {
  const { options, rules, matcher } = state;
  const fits = matcher?.entryMatcher(relativePath);
  const kept = filterEntries(found, rules.inDirectory(relativePath), options);
  const entries = fits ? kept.filter((entry) => entry.kind === "directory" || fits(entry)) : kept;
  state.results.set(relativePath, { totalCount: found.length, shownCount: kept.length, entries });
  state.entries += found.length;
  return entries;
}
