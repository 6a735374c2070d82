import { isFault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { sharedDirectory } from "../../../storage/local/jail/shared-directory.ts";
import type { Entry, DirectoryHandle, SafePath } from "../../../storage/storage.ts";
import { globsOf } from "../../../text/glob/glob.ts";
import { ignoreRulesFrom, type IgnoreRules } from "../../../text/glob/ignore.ts";
import { ignoreFilesAmong } from "../ignore-names.ts";
import { createPathMatcher, type PathMatcher } from "../path-matcher.ts";
import { filtered } from "../filter.ts";

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
  readonly goals: readonly JobTarget[];
  /** The ignore rules that hold there. */
  readonly serializedRules: string;
}

export interface JobTarget {
  /** The directory that holds it, and where that is. */
  readonly shared: string;
  readonly place: SafePath;
  readonly name: string;
  /** The path from where the walk began, and how many names that are. */
  readonly way: string;
  readonly depth: number;
}

/** A directory as it was read: what was in it, and what of that is to be shown. */
export interface ReadAheadResult {
  readonly found: number;
  readonly kept: number;
  /** Of those, what is wanted, and all directories. Packed where it comes from another thread. */
  readonly entries: readonly Entry[] | string;
}

/** What was read, by the way to it; null where the walk itself has to look. What is missing was not come to. */
export type Found = ReadonlyMap<string, ReadAheadResult | null>;

/**
 * Reads directories and those below them, as many as one errand covers. Whatever is not plain is left to the walk, as
 * is what cannot be read.
 */
export function readAhead(errand: Job, isOff: () => boolean = () => false): Found {
  const trip: JobState = { ...guideFor(errand), isOff, found: new Map(), entries: 0 };
  for (const { shared, place, ...goal } of errand.goals) enter(trip, sharedDirectory(shared, place), goal, 0);
  return trip.found;
}

/** What is the same for all errands of one walk. */
interface Guide {
  readonly leads: JobOptions;
  readonly rules: IgnoreRules;
  readonly matcher: PathMatcher | undefined;
}

interface JobState extends Guide {
  readonly isOff: () => boolean;
  readonly found: Map<string, ReadAheadResult | null>;
  entries: number;
}

/** The last one: a walk sends many errands, and patterns take longer to understand than to compare. */
let lastGuide: { readonly key: string; readonly guide: Guide } | undefined;

function guideFor({ serializedRules, patterns, includeHidden, includeIgnored, depth }: Job): Guide {
  const leads = { patterns, includeHidden, includeIgnored, depth };
  const key = `${JSON.stringify(leads)} ${serializedRules}`;
  if (lastGuide?.key !== key) {
    const globs = patterns?.flatMap((pattern) => globsOf(pattern, "pattern"));
    const matcher = globs && createPathMatcher(globs, includeHidden);
    lastGuide = { key, guide: { leads, matcher, rules: ignoreRulesFrom(serializedRules) } };
  }
  return lastGuide.guide;
}

/** A directory that a trip comes to. */
type Leg = Pick<JobTarget, "name" | "way" | "depth">;

function enter(trip: JobState, from: Pick<DirectoryHandle, "enter">, leg: Leg, held: number): void {
  if (isEnough(trip) || held >= LIMITS.walkHeld) return;
  trip.found.set(leg.way, null);
  const directory = orNothing(() => from.enter({ name: leg.name, kind: "directory" }));
  if (!directory) return;
  try {
    const entries = orNothing(directory.entriesNow);
    if (entries) pass(trip, directory, leg, entries, held);
  } finally {
    directory.close();
  }
}

const isEnough = ({ found, entries, isOff }: JobState): boolean =>
  found.size >= LIMITS.scoutDirectories || entries >= LIMITS.scoutEntries || isOff();

function orNothing<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

/** The last directory first, as a walk does. */
function pass(trip: JobState, directory: DirectoryHandle, leg: Leg, found: readonly Entry[], held: number): void {
  const { leads, matcher } = trip;
  const { way, depth } = leg;
  const addsRules = !leads.includeIgnored && ignoreFilesAmong(found).length > 0;
  if (addsRules || found.some(({ raw }) => raw !== undefined)) return;
  const entries = note(trip, way, found);
  if (depth + 1 >= leads.depth) return;
  for (let at = entries.length - 1; at >= 0; at--) {
    const { name, kind } = entries[at] as Entry;
    const next = `${way}/${name}`;
    if (kind !== "directory" || matcher?.enters(next) === false) continue;
    enter(trip, directory, { name, way: next, depth: depth + 1 }, held + 1);
  }
}

/** Gives what is wanted, and all directories. */
function note(trip: JobState, way: string, found: readonly Entry[]): readonly Entry[] {
  const { leads, rules, matcher } = trip;
  const fits = matcher?.in(way);
  const kept = filtered(found, rules.at(way), leads);
  const entries = fits ? kept.filter((entry) => entry.kind === "directory" || fits(entry)) : kept;
  trip.found.set(way, { found: found.length, kept: kept.length, entries });
  trip.entries += found.length;
  return entries;
}
