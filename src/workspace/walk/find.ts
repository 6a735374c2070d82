import { childOf } from "../../base/paths.ts";
import type { Entry, Kind, SafePath } from "../../storage/storage.ts";
import { globsOf } from "../../text/glob/glob.ts";
import { createPathMatcher } from "./path-matcher.ts";
import type { View } from "../view.ts";
import { type VisitedDirectory, walk, type WalkResult, type WalkOptions } from "./walk.ts";

export interface FindOptions extends Pick<WalkOptions, "exclude" | "includeIgnored" | "includeHidden" | "budget"> {
  /** One of them must fit the path from where the search begins. */
  readonly patterns: readonly string[];
  readonly kind?: Kind | undefined;
  readonly sizes: NumberRange;
  readonly times: NumberRange;
  /** Sizes and times are wanted of everything found. */
  readonly needsFacts: boolean;
}

/** Both ends are included. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

export interface FoundEntry {
  /** As it is called in answers. */
  readonly path: string;
  readonly name: string;
  readonly kind: Kind;
  /** The directory it is in. */
  readonly directory: Pick<VisitedDirectory, "place" | "relativePath">;
  readonly facts: FoundFacts | undefined;
}

/** Where something was found, for a closer look. */
export const foundPlace = ({ directory, name }: FoundEntry): SafePath => childOf(directory.place, name);

/** What is kept of a look at something found. */
export interface FoundFacts {
  readonly size: number;
  readonly modifiedMs: number;
  readonly identity: string;
}

/** Hands on everything below a directory that is wanted, in no order. */
export async function find(
  view: View,
  start: string,
  options: FindOptions,
  take: (found: FoundEntry) => void,
): Promise<WalkResult> {
  const globs = options.patterns.flatMap((pattern) => globsOf(pattern, "pattern"));
  const matcher = createPathMatcher(globs, options.includeHidden);
  const visit = (directory: VisitedDirectory): void | Promise<void> => {
    const name = view.nameOf(directory.place);
    const { place, relativePath } = directory;
    const context = {
      at: { place, relativePath },
      directory,
      prefix: name === "." ? "" : childOf(name, ""),
      fits: matcher.entryMatcher(relativePath),
    };
    const { entries } = directory;
    return entries.length <= SLICE_ENTRIES
      ? matchEntries(context, entries, options, take)
      : matchInSlices(view, context, options, take);
  };
  const { includeHidden, enters } = matcher;
  const leads = options.needsFacts ? undefined : { patterns: options.patterns, depth: Infinity };
  return walk(view, start, { ...options, order: "deep", includeHidden, enters, readAhead: leads }, visit);
}

/** Entries that may be looked at before the next breath. */
const SLICE_ENTRIES = 64;

/** What is the same for all entries of one directory. */
interface DirectoryMatch {
  readonly at: FoundEntry["directory"];
  readonly directory: VisitedDirectory;
  readonly prefix: string;
  readonly fits: (entry: Entry) => boolean;
}

async function matchInSlices(
  view: View,
  context: DirectoryMatch,
  options: FindOptions,
  take: (found: FoundEntry) => void,
): Promise<void> {
  const { entries } = context.directory;
  for (let from = 0; from < entries.length; from += SLICE_ENTRIES) {
    const pause = view.checkpoint();
    if (pause) await pause;
    matchEntries(context, entries.slice(from, from + SLICE_ENTRIES), options, take);
  }
}

function matchEntries(
  { at, directory, prefix, fits }: DirectoryMatch,
  entries: readonly Entry[],
  options: FindOptions,
  take: (found: FoundEntry) => void,
): void {
  for (const entry of entries) {
    const { name, kind } = entry;
    if ((options.kind !== undefined && kind !== options.kind) || !fits(entry)) continue;
    const facts = options.needsFacts ? factsOf(directory, entry, options) : undefined;
    if (facts !== null) take({ path: prefix + name, name, kind, directory: at, facts });
  }
}

/** Null when it has vanished or is not wanted. */
function factsOf(directory: VisitedDirectory, entry: Entry, { sizes, times }: FindOptions): FoundFacts | null {
  const facts = directory.stat(entry);
  if (!facts || !isIn(sizes, facts.size) || !isIn(times, facts.modifiedMs)) return null;
  return { size: facts.size, modifiedMs: facts.modifiedMs, identity: facts.identity };
}

const isIn = ({ min, max }: NumberRange, value: number): boolean => min <= value && value <= max;
