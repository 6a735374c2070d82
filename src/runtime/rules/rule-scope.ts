import { childOf, isWithin, nameIn, relativePath } from "../../base/paths.ts";
import { type Glob, globsOf, dependsOnNames, mayContainMatch } from "../../text/glob/glob.ts";
import { createGlobSet, type GlobSet } from "../../text/glob/glob-set.ts";
import { escaped } from "../../text/search/pattern.ts";

/** The places that a rule speaks about. */
export interface RuleScope {
  readonly isEverywhere: boolean;
  matches(place: string): boolean;
  /** Whether something below a directory might fit. */
  mayMatchBelow(directory: string): boolean;
  /** Whether something below it might fit because of where it is: moved elsewhere, it might not. */
  dependsOnLocation(directory: string): boolean;
}

export const EVERYWHERE: RuleScope = {
  isEverywhere: true,
  matches: () => true,
  mayMatchBelow: () => true,
  dependsOnLocation: () => false,
};

/** One place and all that is in it, whether it is there or not. */
export const scopeWithin = (place: string): RuleScope => ({
  isEverywhere: false,
  matches: (other) => isWithin(other, place),
  mayMatchBelow: (directory) => isWithin(place, directory) || isWithin(directory, place),
  dependsOnLocation: () => false,
});

/** Throws where a pattern cannot be understood. */
export function requireValidPattern(patterns: readonly string[]): void {
  patterns.forEach(globsIn);
}

/** Relative patterns begin at each of the roots. They are sound: what one means is found out when it matters. */
export function ruleScopeOf(patterns: readonly string[], roots: readonly string[]): RuleScope {
  if (patterns.some((pattern) => EVERYTHING.test(pattern))) return EVERYWHERE;
  const written = patterns.flatMap(withAllBelow);
  const relative = written.filter((pattern) => !pattern.startsWith("/"));
  const absolute = written.filter((pattern) => pattern.startsWith("/"));
  const reaches = [
    ...(relative.length > 0 ? roots.map((root) => scopeFrom(root, relative)) : []),
    ...(absolute.length > 0 ? [scopeFrom("/", absolute)] : []),
  ];
  return {
    isEverywhere: false,
    matches: (place) => reaches.some((reach) => reach.matches(place)),
    mayMatchBelow: (directory) => reaches.some((reach) => reach.mayMatchBelow(directory)),
    dependsOnLocation: (directory) => reaches.some((reach) => reach.dependsOnLocation(directory)),
  };
}

const EVERYTHING = /^(?:\.?\/)?(?:\*\*\/)*\*\*\/*$/;

/** Whoever names a directory means what is in it, too. Plain names mean that anyway. */
function withAllBelow(pattern: string): readonly string[] {
  const plain = pattern.replace(/\/+$/, "") || pattern;
  if (isPlainName(plain)) return [plain];
  return /[*?[{\\]/.test(nameIn(plain)) ? [plain] : [plain, `${plain}/**`];
}

/** Nearly all patterns are: these need no glob. */
const isPlainName = (pattern: string): boolean => /^[^*?[{\\/]+$/.test(pattern) && !/^\.{1,2}$/.test(pattern);

type ScopeFromBase = Omit<RuleScope, "isEverywhere">;

function scopeFrom(base: string, patterns: readonly string[]): ScopeFromBase {
  const names = new Set(patterns.filter(isPlainName));
  const others = patterns.filter((pattern) => !names.has(pattern));
  const { unkeyed, keyed } = globSetsOf(others);
  let globs: readonly Glob[] | undefined;
  const some = (test: (glob: Glob) => boolean): boolean => (globs ??= others.flatMap(globsIn)).some(test);
  const isNamed = (way: readonly string[]): boolean => names.size > 0 && way.some((name) => names.has(name));
  const mayHoldName = nameFinder([...names, ...keyed.map(({ mark }) => mark)]);
  return {
    matches(place) {
      if (place === base || !isWithin(place, base)) return false;
      const cut = place.lastIndexOf("/");
      const name = place.slice(cut + 1);
      if (names.has(name)) return true;
      const directory = place.slice(0, cut);
      const way = relativePath(base, directory);
      if (unkeyed().last(way, name, true) >= 0) return true;
      if (!mayHoldName(directory)) return false;
      return isNamed(namesOf(base, directory)) || keyed.some(({ set }) => set().last(way, name, true) >= 0);
    },
    mayMatchBelow(directory) {
      if (isWithin(base, directory)) return true;
      if (!isWithin(directory, base)) return false;
      const way = namesOf(base, directory);
      return names.size > 0 || some((glob) => mayContainMatch(glob, way));
    },
    dependsOnLocation(directory) {
      if (isWithin(base, directory)) return true;
      if (!isWithin(directory, base)) return false;
      const way = namesOf(base, directory);
      return isNamed(way) || some((glob) => dependsOnNames(glob, way));
    },
  };
}

/** Whether one of the names is in a path: hardly ever, and walks and searches ask with every file they meet. */
function nameFinder(names: readonly string[]): (path: string) => boolean {
  if (names.length === 0) return () => false;
  let finder: RegExp | undefined;
  return (path) => (finder ??= new RegExp(`/(?:${names.map(escaped).join("|")})(?:/|$)`)).test(path);
}

interface GlobSets {
  unkeyed(): GlobSet;
  /** Patterns below something: only a path with that very name in it, as a directory, need be tried. */
  readonly keyed: readonly { readonly mark: string; set(): GlobSet }[];
}

function globSetsOf(patterns: readonly string[]): GlobSets {
  const marks = patterns.map((pattern) => ({ pattern, mark: requiredDirectoryName(pattern) }));
  const unmarked = marks.flatMap(({ pattern, mark }) => (mark === undefined ? [pattern] : []));
  return {
    unkeyed: lazySet(unmarked),
    keyed: marks.flatMap(({ pattern, mark }) => (mark === undefined ? [] : [{ mark, set: lazySet([pattern]) }])),
  };
}

/** Most are never needed, and a server has to start quickly. */
function lazySet(patterns: readonly string[]): () => GlobSet {
  let set: GlobSet | undefined;
  return () => (set ??= createGlobSet(patterns.flatMap(globsIn)));
}

const globsIn = (pattern: string): readonly Glob[] => globsOf(pattern, "path");

/** The name of a directory that every path must hold which such a pattern fits. */
function requiredDirectoryName(pattern: string): string | undefined {
  const directories = pattern.split("/").slice(0, -1);
  const plain = directories.findLast(isPlainName);
  return plain === undefined || /[{}\\]/.test(pattern) ? undefined : plain;
}

function namesOf(base: string, directory: string): readonly string[] {
  const way = relativePath(base, directory);
  return way === "" ? [] : way.split("/");
}

/** The directory that a condition names, from each of the roots unless it is absolute. */
export const ruleScopeOfPrefix = (prefix: string, roots: readonly string[]): Pick<RuleScope, "matches"> => {
  const bases = prefix.startsWith("/") ? ["/"] : roots;
  const way = prefix.split("/").filter((name) => name !== "" && name !== ".");
  const places = bases.map((base) => way.reduce(childOf, base));
  return { matches: (place) => places.some((each) => isWithin(place, each)) };
};
