import { childOf } from "../../base/paths.ts";
import type { Entry, Kind, SafePath } from "../../storage/storage.ts";
import { globsOf } from "../../text/glob/glob.ts";
import { createPathMatcher } from "./path-matcher.ts";
import type { View } from "../view.ts";
import { type VisitedDirectory, walk, type WalkResult, type WalkOptions } from "./walk.ts";

export interface FindOptions extends Pick<WalkOptions, "exclude" | "includeIgnored" | "includeHidden" | "budget"> {
  /** Select entries whose path, relative to the start, matches one of them. */
  readonly patterns: readonly string[];
  readonly kind?: Kind | undefined;
  readonly sizes: NumberRange;
  readonly times: NumberRange;
  /** Is true if every result needs its size and times. */
  readonly needsFacts: boolean;
}

/** Includes both ends. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

export interface FoundEntry {
  /** The path shown in answers. */
  readonly path: string;
  readonly name: string;
  readonly kind: Kind;
  /** The parent directory. */
  readonly directory: Pick<VisitedDirectory, "place" | "relativePath">;
  readonly facts: FoundFacts | undefined;
}

/** Returns the place of a result, to open it. */
export const foundPlace = ({ directory, name }: FoundEntry): SafePath => childOf(directory.place, name);

/** Holds the part of an entry's facts that results need, to save memory. */
export interface FoundFacts {
  readonly size: number;
  readonly modifiedMs: number;
  readonly identity: string;
}

/** Calls `onFound` for every matching entry below a directory, in no particular order. */
export async function find(
  view: View,
  start: string,
  options: FindOptions,
  onFound: (found: FoundEntry) => void,
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
      ? matchEntries(context, entries, options, onFound)
      : matchInSlices(view, context, options, onFound);
  };
  const { includeHidden, enters } = matcher;
  return walk(view, start, { ...options, order: "deep", includeHidden, enters }, visit);
}

/** Limits the entries that are matched between two checkpoints. */
const SLICE_ENTRIES = 64;

/** Holds the state shared by all entries of one directory. */
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
  onFound: (found: FoundEntry) => void,
): Promise<void> {
  const { entries } = context.directory;
  for (let from = 0; from < entries.length; from += SLICE_ENTRIES) {
    const pause = view.checkpoint();
    if (pause) await pause;
    matchEntries(context, entries.slice(from, from + SLICE_ENTRIES), options, onFound);
  }
}

function matchEntries(
  { at, directory, prefix, fits }: DirectoryMatch,
  entries: readonly Entry[],
  options: FindOptions,
  onFound: (found: FoundEntry) => void,
): void {
  for (const entry of entries) {
    const { name, kind } = entry;
    if ((options.kind !== undefined && kind !== options.kind) || !fits(entry)) continue;
    const facts = options.needsFacts ? factsOf(directory, entry, options) : undefined;
    if (facts !== null) onFound({ path: prefix + name, name, kind, directory: at, facts });
  }
}

/** Returns null if the entry vanished or is outside the requested sizes or times. */
function factsOf(directory: VisitedDirectory, entry: Entry, { sizes, times }: FindOptions): FoundFacts | null {
  const facts = directory.stat(entry);
  if (!facts || !isIn(sizes, facts.size) || !isIn(times, facts.modifiedMs)) return null;
  return { size: facts.size, modifiedMs: facts.modifiedMs, identity: facts.identity };
}

const isIn = ({ min, max }: NumberRange, value: number): boolean => min <= value && value <= max;
