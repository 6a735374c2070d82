import { childOf, isInNamedStorage, isWithin, nameIn, relativePath } from "../../base/paths.ts";
import { type Glob, globsOf, dependsOnNames, mayContainMatch } from "../../text/glob/glob.ts";
import { createGlobSet, type GlobSet } from "../../text/glob/glob-set.ts";
import { escapeRegex } from "../../text/search/pattern.ts";

/** Holds the places that a rule applies to. */
export interface RuleScope {
  readonly isEverywhere: boolean;
  /** Holds what the scope was made of, so that scopes can be united. */
  readonly parts: ScopeParts;
  matches(place: string): boolean;
  /** Returns true where something below a directory might match; with names, where only these are in it. */
  mayMatchBelow(directory: string, names?: readonly string[]): boolean;
  /** Returns true where something below it might match because of its location, and no longer after a move. */
  dependsOnLocation(directory: string): boolean;
}

interface ScopeParts {
  /** Lists places that are matched together with everything in them, whether they exist or not. */
  readonly within: readonly string[];
  /** Maps directories to the patterns that begin there. */
  readonly patterns: ReadonlyMap<string, readonly string[]>;
}

export const EVERYWHERE: RuleScope = {
  isEverywhere: true,
  parts: { within: ["/"], patterns: new Map() },
  matches: () => true,
  mayMatchBelow: () => true,
  dependsOnLocation: () => false,
};

/** Matches one place and everything in it, whether it exists or not. */
export const scopeWithin = (place: string): RuleScope => createScope({ within: [place], patterns: new Map() });

/** Throws for an invalid pattern. */
export function requireValidPattern(patterns: readonly string[]): void {
  patterns.forEach(globsIn);
}

/** Creates a scope of valid patterns; relative ones begin at each of the roots. Globs are compiled lazily. */
export function ruleScopeOf(patterns: readonly string[], roots: readonly string[]): RuleScope {
  if (patterns.some((pattern) => EVERYTHING.test(pattern))) return EVERYWHERE;
  const written = patterns.flatMap(withAllBelow);
  const relative = written.filter((pattern) => !pattern.startsWith("/"));
  const absolute = written.filter((pattern) => pattern.startsWith("/"));
  const lists = absolute.map((pattern) => basedPattern(pattern, roots));
  return createScope({
    within: absolute.filter((pattern) => roots.includes(pattern) && isInNamedStorage(pattern)),
    patterns: joinedPatterns([...roots.map((root) => [root, relative] as const), ...lists]),
  });
}

/** Returns where an absolute pattern begins: in a storage with a name, or at the top of the disk. */
function basedPattern(pattern: string, roots: readonly string[]): readonly [base: string, patterns: readonly string[]] {
  const storage = namedStorageOf(pattern, roots);
  if (storage === undefined) return ["/", [pattern]];
  return [storage, pattern === storage ? [] : [pattern.slice(storage.length)]];
}

const namedStorageOf = (path: string, roots: readonly string[]): string | undefined =>
  roots.find((root) => isInNamedStorage(root) && isWithin(path, root));

/** Matches what one of the scopes matches. It compiles their patterns together: asking it is faster than asking each. */
export function unitedScope(scopes: readonly RuleScope[]): RuleScope {
  if (scopes.some(({ isEverywhere }) => isEverywhere)) return EVERYWHERE;
  const within = scopes.flatMap(({ parts }) => parts.within);
  return createScope({ within, patterns: joinedPatterns(scopes.flatMap(({ parts }) => [...parts.patterns])) });
}

function joinedPatterns(
  lists: readonly (readonly [base: string, patterns: readonly string[]])[],
): ScopeParts["patterns"] {
  const joined = new Map<string, readonly string[]>();
  for (const [base, patterns] of lists)
    if (patterns.length > 0) joined.set(base, [...(joined.get(base) ?? []), ...patterns]);
  return joined;
}

function createScope(parts: ScopeParts): RuleScope {
  const { within, patterns } = parts;
  const scopes = [...patterns].map(([base, written]) => scopeFrom(base, written));
  return {
    isEverywhere: false,
    parts,
    matches: (place) => within.some((each) => isWithin(place, each)) || scopes.some((scope) => scope.matches(place)),
    mayMatchBelow: (directory, names) =>
      within.some((each) => isWithin(each, directory) || isWithin(directory, each)) ||
      scopes.some((scope) => scope.mayMatchBelow(directory, names)),
    dependsOnLocation: (directory) => scopes.some((scope) => scope.dependsOnLocation(directory)),
  };
}

const EVERYTHING = /^(?:\.?\/)?(?:\*\*\/)*\*\*\/*$/;

/** Makes a pattern for a directory match everything in it, too. Plain names do so anyway. */
function withAllBelow(pattern: string): readonly string[] {
  const plain = pattern.replace(/\/+$/, "") || pattern;
  if (isPlainName(plain)) return [plain];
  return /[*?[{\\]/.test(nameIn(plain)) ? [plain] : [plain, `${plain}/**`];
}

/** Recognises plain names, which most patterns are and which need no glob. */
const isPlainName = (pattern: string): boolean => /^[^*?[{\\/]+$/.test(pattern) && !/^\.{1,2}$/.test(pattern);

type ScopeFromBase = Omit<RuleScope, "isEverywhere" | "parts">;

function scopeFrom(base: string, patterns: readonly string[]): ScopeFromBase {
  const plainNames = new Set(patterns.filter(isPlainName));
  const others = patterns.filter((pattern) => !plainNames.has(pattern));
  const { unkeyed, keyed } = globSetsOf(others);
  let globs: readonly Glob[] | undefined;
  const some = (test: (glob: Glob) => boolean): boolean => (globs ??= others.flatMap(globsIn)).some(test);
  const isNamed = (names: readonly string[]): boolean =>
    plainNames.size > 0 && names.some((name) => plainNames.has(name));
  const mayHoldName = nameFinder([...plainNames, ...keyed.map(({ directoryName }) => directoryName)]);
  return {
    matches(place) {
      if (place === base || !isWithin(place, base)) return false;
      const cut = place.lastIndexOf("/");
      const name = place.slice(cut + 1);
      if (plainNames.has(name)) return true;
      const directory = place.slice(0, cut);
      const parent = relativePath(base, directory);
      if (unkeyed().last(parent, name, true) >= 0) return true;
      if (!mayHoldName(directory)) return false;
      return isNamed(namesOf(base, directory)) || keyed.some(({ set }) => set().last(parent, name, true) >= 0);
    },
    mayMatchBelow(directory, inner) {
      if (isWithin(base, directory)) return true;
      if (!isWithin(directory, base)) return false;
      const names = namesOf(base, directory);
      const mayBeNamed = inner ? isNamed(names) || isNamed(inner) : plainNames.size > 0;
      return mayBeNamed || some((glob) => mayContainMatch(glob, names, inner));
    },
    dependsOnLocation(directory) {
      if (isWithin(base, directory)) return true;
      if (!isWithin(directory, base)) return false;
      const names = namesOf(base, directory);
      return isNamed(names) || some((glob) => dependsOnNames(glob, names));
    },
  };
}

/**
 * Tests with one regular expression whether a path holds one of the names. It is a fast path for walks and searches,
 * where that is rare.
 */
function nameFinder(names: readonly string[]): (path: string) => boolean {
  if (names.length === 0) return () => false;
  let finder: RegExp | undefined;
  return (path) => (finder ??= new RegExp(`/(?:${names.map(escapeRegex).join("|")})(?:/|$)`)).test(path);
}

interface GlobSets {
  unkeyed(): GlobSet;
  /** Holds patterns that need a certain directory name: only paths with that name have to be matched. */
  readonly keyed: readonly { readonly directoryName: string; set(): GlobSet }[];
}

function globSetsOf(patterns: readonly string[]): GlobSets {
  const names = patterns.map((pattern) => ({ pattern, directoryName: requiredDirectoryName(pattern) }));
  const unkeyed = names.flatMap(({ pattern, directoryName }) => (directoryName === undefined ? [pattern] : []));
  return {
    unkeyed: lazySet(unkeyed),
    keyed: names.flatMap(({ pattern, directoryName }) =>
      directoryName === undefined ? [] : [{ directoryName, set: lazySet([pattern]) }],
    ),
  };
}

/** Compiles globs at the first use: most are never needed, and a server has to start quickly. */
function lazySet(patterns: readonly string[]): () => GlobSet {
  let set: GlobSet | undefined;
  return () => (set ??= createGlobSet(patterns.flatMap(globsIn)));
}

const globsIn = (pattern: string): readonly Glob[] => globsOf(pattern, "path");

/** Returns a directory name that every match of the pattern must contain. */
function requiredDirectoryName(pattern: string): string | undefined {
  const directories = pattern.split("/").slice(0, -1);
  const plain = directories.findLast(isPlainName);
  return plain === undefined || /[{}\\]/.test(pattern) ? undefined : plain;
}

function namesOf(base: string, directory: string): readonly string[] {
  const relative = relativePath(base, directory);
  return relative === "" ? [] : relative.split("/");
}

/** Creates the scope of a `path_prefix` condition, which begins at each of the roots unless it is absolute. */
export const ruleScopeOfPrefix = (prefix: string, roots: readonly string[]): Pick<RuleScope, "matches"> => {
  const storage = namedStorageOf(prefix, roots);
  const bases = storage ? [storage] : prefix.startsWith("/") ? ["/"] : roots;
  const within = storage ? relativePath(storage, prefix) : prefix;
  const names = within.split("/").filter((name) => name !== "" && name !== ".");
  const places = bases.map((base) => names.reduce(childOf, base));
  return { matches: (place) => places.some((each) => isWithin(place, each)) };
};
