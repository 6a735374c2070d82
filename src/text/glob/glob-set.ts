import { matchesGlob, type Glob, type NamesOf } from "./glob.ts";

/**
 * Matches a name against many patterns at once. Exact names are looked up in a map, and so are extensions if there are
 * many of them.
 */
export interface GlobSet {
  /** Returns the index of the last pattern that matches a name in the directory at `relativePath`, or -1. */
  last(relativePath: string, name: string, isDirectory: boolean): number;
}

const namesIn: NamesOf = (relativePath) => (relativePath === "" ? [] : relativePath.split("/"));

/** Creates the set. It is a hot path: a walk queries it for every entry, often in several sets. */
export function createGlobSet(globs: readonly Glob[], namesOf: NamesOf = namesIn): GlobSet {
  const { exact, endings, names, paths } = groupGlobs(globs);
  return {
    last(relativePath, name, isDirectory) {
      let best = -1;
      if (exact.size > 0) best = lastOf(globs, exact.get(name), isDirectory, best);
      if (endings.size > 0) best = lastOf(globs, endings.get(endingOf(name)), isDirectory, best);
      if (names.length > 0) best = lastMatch(globs, names, namesOf, relativePath, name, isDirectory, best);
      if (paths.length > 0) best = lastMatch(globs, paths, namesOf, relativePath, name, isDirectory, best);
      return best;
    },
  };
}

interface GlobGroups {
  readonly exact: Map<string, number[]>;
  readonly endings: Map<string, number[]>;
  readonly names: number[];
  readonly paths: number[];
}

function groupGlobs(globs: readonly Glob[]): GlobGroups {
  const groups: GlobGroups = { exact: new Map(), endings: new Map(), names: [], paths: [] };
  const hasManyEndings = globs.filter(({ ending }) => ending !== undefined).length > FEW_EXTENSIONS;
  for (const [index, { exact, ending, isName }] of globs.entries()) {
    if (exact !== undefined) addTo(groups.exact, exact, index);
    else if (ending !== undefined && hasManyEndings) addTo(groups.endings, ending, index);
    else (isName ? groups.names : groups.paths).push(index);
  }
  return groups;
}

/** Up to this number, trying each extension is faster than a lookup. */
const FEW_EXTENSIONS = 4;

/** Returns the last index in a list of patterns whose name already matches. */
function lastOf(
  globs: readonly Glob[],
  indexes: readonly number[] | undefined,
  isDirectory: boolean,
  best: number,
): number {
  if (indexes === undefined) return best;
  for (let at = indexes.length - 1; at >= 0; at--) {
    const index = indexes[at] as number;
    if (index <= best) return best;
    if (isDirectory || !(globs[index] as Glob).directoriesOnly) return index;
  }
  return best;
}

function lastMatch(
  globs: readonly Glob[],
  indexes: readonly number[],
  namesOf: NamesOf,
  relativePath: string,
  name: string,
  isDirectory: boolean,
  best: number,
): number {
  for (let at = indexes.length - 1; at >= 0; at--) {
    const index = indexes[at] as number;
    if (index <= best) return best;
    const glob = globs[index] as Glob;
    if ((isDirectory || !glob.directoriesOnly) && matchesGlob(glob, namesOf, relativePath, name)) return index;
  }
  return best;
}

function addTo(map: Map<string, number[]>, key: string, index: number): void {
  const known = map.get(key);
  if (known) known.push(index);
  else map.set(key, [index]);
}

function endingOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot);
}
