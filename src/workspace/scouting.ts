import { isFault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { sharedDirectory } from "../storage/local/shared.ts";
import type { Entry, HeldDirectory, SafePath } from "../storage/storage.ts";
import { globsOf } from "../text/glob.ts";
import { ignoreRulesFrom, type IgnoreRules } from "../text/ignore.ts";
import { ignoreFilesAmong } from "./ignore-files.ts";
import { packed } from "./leaves.ts";
import { createPathMatcher, type PathMatcher } from "./path-matcher.ts";

/** What a walk says of itself, so that directories can be read before it comes to them. */
export interface Leads {
  readonly includeIgnored: boolean;
  readonly includeHidden: boolean;
  /** What is wanted; all of it where there are none. */
  readonly patterns?: readonly string[] | undefined;
  /** Directories so deep are not opened. */
  readonly depth: number;
}

/** A directory to read, with what is below it. */
export interface Errand extends Leads {
  /** The directory that holds it, and where that is. */
  readonly shared: string;
  readonly place: SafePath;
  readonly name: string;
  /** The path from where the walk began, and how deep that is. */
  readonly way: string;
  readonly at: number;
  /** The ignore rules that hold there. */
  readonly recipe: string;
}

/** A directory as it was read: what was in it, and what of that is to be shown. */
export interface Scouted {
  readonly found: number;
  readonly kept: number;
  /** Of those, what is wanted, and all directories. */
  readonly entries: string;
}

/**
 * Reads a directory and those below it, as many as one errand covers, and gives them as one text. Whatever is not plain
 * is left out, as is what cannot be read: whoever walks comes to it, and decides.
 */
export function scout(errand: Errand, isOff: () => boolean): string {
  const trip = { ...guideFor(errand), isOff, fields: [], directories: 0, entries: 0 };
  const { name, way, at } = errand;
  enter(trip, sharedDirectory(errand.shared, errand.place), { name, way, depth: at, held: 0 });
  return trip.fields.join(SEPARATOR);
}

/** What was read, by the way to it. */
export function scoutedIn(text: string): ReadonlyMap<string, Scouted> {
  const fields = text === "" ? [] : text.split(SEPARATOR);
  const found = new Map<string, Scouted>();
  for (let at = 0; at < fields.length; at += FIELDS) {
    const [way, all, kept, entries] = fields.slice(at, at + FIELDS) as [string, string, string, string];
    found.set(way, { found: Number(all), kept: Number(kept), entries });
  }
  return found;
}

/** No name and no path has it. */
const SEPARATOR = "\0";
const FIELDS = 4;

/** What is the same for all errands of one walk. */
interface Guide {
  readonly leads: Leads;
  readonly rules: IgnoreRules;
  readonly matcher: PathMatcher | undefined;
}

interface Trip extends Guide {
  readonly isOff: () => boolean;
  readonly fields: string[];
  directories: number;
  entries: number;
}

/** The last one: a walk sends many errands, and patterns take longer to understand than to compare. */
let lastGuide: { readonly key: string; readonly guide: Guide } | undefined;

function guideFor({ recipe, patterns, includeHidden, includeIgnored, depth }: Errand): Guide {
  const leads = { patterns, includeHidden, includeIgnored, depth };
  const key = `${JSON.stringify(leads)} ${recipe}`;
  if (lastGuide?.key !== key) {
    const globs = patterns?.flatMap((pattern) => globsOf(pattern, "pattern"));
    const matcher = globs && createPathMatcher(globs, includeHidden);
    lastGuide = { key, guide: { leads, matcher, rules: ignoreRulesFrom(recipe) } };
  }
  return lastGuide.guide;
}

interface Spot {
  readonly name: string;
  readonly way: string;
  readonly depth: number;
  /** How many directories are held above it. */
  readonly held: number;
}

function enter(trip: Trip, from: Pick<HeldDirectory, "enter">, spot: Spot): void {
  if (isEnough(trip) || spot.held >= LIMITS.walkHeld) return;
  const directory = orNothing(() => from.enter({ name: spot.name, kind: "directory" }));
  if (!directory) return;
  try {
    const found = orNothing(() => directory.entries());
    if (found && !(found instanceof Promise)) pass(trip, directory, spot, found);
  } finally {
    directory.close();
  }
}

const isEnough = ({ directories, entries, isOff }: Trip): boolean =>
  directories >= LIMITS.scoutDirectories || entries >= LIMITS.scoutEntries || isOff();

function orNothing<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

/** The last directory first, as a walk does. */
function pass(trip: Trip, directory: HeldDirectory, { way, depth, held }: Spot, found: readonly Entry[]): void {
  const { leads, matcher } = trip;
  const addsRules = !leads.includeIgnored && ignoreFilesAmong(found).length > 0;
  if (addsRules || found.some(({ raw }) => raw !== undefined)) return;
  const within = note(trip, way, found);
  for (const { name } of within.toReversed()) {
    const next = `${way}/${name}`;
    if (depth + 1 < leads.depth && matcher?.enters(next) !== false)
      enter(trip, directory, { name, way: next, depth: depth + 1, held: held + 1 });
  }
}

/** Gives the directories among what is to be shown. */
function note(trip: Trip, way: string, found: readonly Entry[]): readonly Entry[] {
  const { leads, rules, matcher } = trip;
  const ignores = rules.at(way);
  const fits = matcher?.in(way);
  const kept = found.filter(
    ({ name, kind }) => (leads.includeHidden || !name.startsWith(".")) && !ignores(name, kind === "directory"),
  );
  const wanted = fits ? kept.filter((entry) => entry.kind === "directory" || fits(entry)) : kept;
  trip.fields.push(way, String(found.length), String(kept.length), packed(wanted));
  trip.directories++;
  trip.entries += found.length;
  return kept.filter(({ kind }) => kind === "directory");
}
