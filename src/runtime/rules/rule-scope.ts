import { childOf, isWithin, nameIn, relativePath } from "../../base/paths.ts";
import { type Glob, globsOf, dependsOnNames, mayHold } from "../../text/glob/glob.ts";
import { createGlobSet, type GlobSet } from "../../text/glob/glob-set.ts";
import { escaped } from "../../text/search/pattern.ts";

/** The places that a rule speaks about. */
export interface RuleScope {
  readonly isEverywhere: boolean;
  fits(place: string): boolean;
  /** Whether something below a directory might fit. */
  mayFitBelow(directory: string): boolean;
  /** Whether something below it might fit because of where it is: moved elsewhere, it might not. */
  leansOn(directory: string): boolean;
}

export const EVERYWHERE: RuleScope = {
  isEverywhere: true,
  fits: () => true,
  mayFitBelow: () => true,
  leansOn: () => false,
};

/** One place and all that is in it, whether it is there or not. */
export const scopeWithin = (place: string): RuleScope => ({
  isEverywhere: false,
  fits: (other) => isWithin(other, place),
  mayFitBelow: (directory) => isWithin(place, directory) || isWithin(directory, place),
  leansOn: () => false,
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
    ...(relative.length > 0 ? roots.map((root) => reachFrom(root, relative)) : []),
    ...(absolute.length > 0 ? [reachFrom("/", absolute)] : []),
  ];
  return {
    isEverywhere: false,
    fits: (place) => reaches.some((reach) => reach.fits(place)),
    mayFitBelow: (directory) => reaches.some((reach) => reach.mayFitBelow(directory)),
    leansOn: (directory) => reaches.some((reach) => reach.leansOn(directory)),
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

type Based = Omit<RuleScope, "isEverywhere">;

function reachFrom(base: string, patterns: readonly string[]): Based {
  const names = new Set(patterns.filter(isPlainName));
  const others = patterns.filter((pattern) => !names.has(pattern));
  const { quick, marked } = setsOf(others);
  let globs: readonly Glob[] | undefined;
  const some = (test: (glob: Glob) => boolean): boolean => (globs ??= others.flatMap(globsIn)).some(test);
  const isNamed = (way: readonly string[]): boolean => names.size > 0 && way.some((name) => names.has(name));
  const mayHoldName = nameFinder([...names, ...marked.map(({ mark }) => mark)]);
  return {
    fits(place) {
      if (place === base || !isWithin(place, base)) return false;
      const cut = place.lastIndexOf("/");
      const name = place.slice(cut + 1);
      if (names.has(name)) return true;
      const directory = place.slice(0, cut);
      const way = relativePath(base, directory);
      if (quick().last(way, name, true) >= 0) return true;
      if (!mayHoldName(directory)) return false;
      return isNamed(namesOf(base, directory)) || marked.some(({ set }) => set().last(way, name, true) >= 0);
    },
    mayFitBelow(directory) {
      if (isWithin(base, directory)) return true;
      if (!isWithin(directory, base)) return false;
      const way = namesOf(base, directory);
      return names.size > 0 || some((glob) => mayHold(glob, way));
    },
    leansOn(directory) {
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

interface Sets {
  quick(): GlobSet;
  /** Patterns below something: only a path with that very name in it, as a directory, need be tried. */
  readonly marked: readonly { readonly mark: string; set(): GlobSet }[];
}

function setsOf(patterns: readonly string[]): Sets {
  const marks = patterns.map((pattern) => ({ pattern, mark: markOf(pattern) }));
  const unmarked = marks.flatMap(({ pattern, mark }) => (mark === undefined ? [pattern] : []));
  return {
    quick: lazySet(unmarked),
    marked: marks.flatMap(({ pattern, mark }) => (mark === undefined ? [] : [{ mark, set: lazySet([pattern]) }])),
  };
}

/** Most are never needed, and a server has to start quickly. */
function lazySet(patterns: readonly string[]): () => GlobSet {
  let set: GlobSet | undefined;
  return () => (set ??= createGlobSet(patterns.flatMap(globsIn)));
}

const globsIn = (pattern: string): readonly Glob[] => globsOf(pattern, "path");

/** The name of a directory that every path must hold which such a pattern fits. */
function markOf(pattern: string): string | undefined {
  const directories = pattern.split("/").slice(0, -1);
  const plain = directories.findLast(isPlainName);
  return plain === undefined || /[{}\\]/.test(pattern) ? undefined : plain;
}

function namesOf(base: string, directory: string): readonly string[] {
  const way = relativePath(base, directory);
  return way === "" ? [] : way.split("/");
}

/** The directory that a condition names, from each of the roots unless it is absolute. */
export const ruleScopeOfPrefix = (prefix: string, roots: readonly string[]): Pick<RuleScope, "fits"> => {
  const bases = prefix.startsWith("/") ? ["/"] : roots;
  const way = prefix.split("/").filter((name) => name !== "" && name !== ".");
  const places = bases.map((base) => way.reduce(childOf, base));
  return { fits: (place) => places.some((each) => isWithin(place, each)) };
};
