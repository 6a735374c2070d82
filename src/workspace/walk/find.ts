import { childOf } from "../../base/paths.ts";
import type { Entry, Kind, SafePath } from "../../storage/storage.ts";
import { globsOf } from "../../text/glob/glob.ts";
import { createPathMatcher } from "./path-matcher.ts";
import type { View } from "../view.ts";
import { type Visited, walk, type Walked, type WalkOptions } from "./walk.ts";

export interface FindOptions extends Pick<WalkOptions, "exclude" | "includeIgnored" | "includeHidden" | "budget"> {
  /** One of them must fit the path from where the search begins. */
  readonly patterns: readonly string[];
  readonly kind?: Kind | undefined;
  readonly sizes: Span;
  readonly times: Span;
  /** Sizes and times are wanted of everything found. */
  readonly looks: boolean;
}

/** Both ends are included. */
export interface Span {
  readonly least: number;
  readonly most: number;
}

export interface Found {
  /** As it is called in answers. */
  readonly path: string;
  readonly name: string;
  readonly kind: Kind;
  /** The directory it is in. */
  readonly at: Pick<Visited, "place" | "way">;
  readonly facts: FoundFacts | undefined;
}

/** Where something was found, for a closer look. */
export const foundPlace = ({ at, name }: Found): SafePath => childOf(at.place, name);

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
  wish: FindOptions,
  take: (found: Found) => void,
): Promise<Walked> {
  const globs = wish.patterns.flatMap((pattern) => globsOf(pattern, "pattern"));
  const matcher = createPathMatcher(globs, wish.includeHidden);
  const visit = (directory: Visited): void | Promise<void> => {
    const name = view.nameOf(directory.place);
    const { place, way } = directory;
    const lookout = {
      at: { place, way },
      directory,
      prefix: name === "." ? "" : childOf(name, ""),
      fits: matcher.in(way),
    };
    const { entries } = directory;
    return entries.length <= BREATH ? pick(lookout, entries, wish, take) : pickSlowly(view, lookout, wish, take);
  };
  const { includeHidden, enters } = matcher;
  const leads = wish.looks ? undefined : { patterns: wish.patterns, depth: Infinity };
  return walk(view, start, { ...wish, order: "deep", includeHidden, enters, leads }, visit);
}

/** Entries that may be looked at before the next breath. */
const BREATH = 64;

/** What is the same for all entries of one directory. */
interface Lookout {
  readonly at: Found["at"];
  readonly directory: Visited;
  readonly prefix: string;
  readonly fits: (entry: Entry) => boolean;
}

async function pickSlowly(
  view: View,
  lookout: Lookout,
  wish: FindOptions,
  take: (found: Found) => void,
): Promise<void> {
  const { entries } = lookout.directory;
  for (let from = 0; from < entries.length; from += BREATH) {
    const pause = view.checkpoint();
    if (pause) await pause;
    pick(lookout, entries.slice(from, from + BREATH), wish, take);
  }
}

function pick(
  { at, directory, prefix, fits }: Lookout,
  entries: readonly Entry[],
  wish: FindOptions,
  take: (found: Found) => void,
): void {
  for (const entry of entries) {
    const { name, kind } = entry;
    if ((wish.kind !== undefined && kind !== wish.kind) || !fits(entry)) continue;
    const facts = wish.looks ? factsOf(directory, entry, wish) : undefined;
    if (facts !== null) take({ path: prefix + name, name, kind, at, facts });
  }
}

/** Null when it has vanished or is not wanted. */
function factsOf(directory: Visited, entry: Entry, { sizes, times }: FindOptions): FoundFacts | null {
  const facts = directory.look(entry);
  if (!facts || !isIn(sizes, facts.size) || !isIn(times, facts.modifiedMs)) return null;
  return { size: facts.size, modifiedMs: facts.modifiedMs, identity: facts.identity };
}

const isIn = ({ least, most }: Span, value: number): boolean => least <= value && value <= most;
