import { fitsGlob, type Glob } from "./glob.ts";

/** Many patterns that are asked at once. Exact names, and endings where there are many, are looked up, not tried. */
export interface GlobSet {
  /** The number of the last pattern that fits, from 0; -1 when none does. `directory` is only called where it matters. */
  last(directory: () => readonly string[], name: string, isDirectory: boolean): number;
}

/** Written for speed: a walk asks for every entry, often in several sets. */
export function createGlobSet(globs: readonly Glob[]): GlobSet {
  const { exact, endings, names, ways } = sorted(globs);
  return {
    last(directory, name, isDirectory) {
      let best = -1;
      if (exact.size > 0) best = lastOf(globs, exact.get(name), isDirectory, best);
      if (endings.size > 0) best = lastOf(globs, endings.get(endingOf(name)), isDirectory, best);
      if (names.length > 0) best = lastFit(globs, names, nowhere, name, isDirectory, best);
      if (ways.length > 0) best = lastFit(globs, ways, directory, name, isDirectory, best);
      return best;
    },
  };
}

interface Sorted {
  readonly exact: Map<string, number[]>;
  readonly endings: Map<string, number[]>;
  readonly names: number[];
  readonly ways: number[];
}

function sorted(globs: readonly Glob[]): Sorted {
  const kinds: Sorted = { exact: new Map(), endings: new Map(), names: [], ways: [] };
  const hasManyEndings = globs.filter(({ ending }) => ending !== undefined).length > FEW;
  for (const [index, { exact, ending, isName }] of globs.entries()) {
    if (exact !== undefined) addTo(kinds.exact, exact, index);
    else if (ending !== undefined && hasManyEndings) addTo(kinds.endings, ending, index);
    else (isName ? kinds.names : kinds.ways).push(index);
  }
  return kinds;
}

/** So many endings are tried faster than one is cut off and looked up. */
const FEW = 4;

const nowhere = (): readonly string[] => [];

/** Of patterns that fit by their name already. */
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

function lastFit(
  globs: readonly Glob[],
  indexes: readonly number[],
  directory: () => readonly string[],
  name: string,
  isDirectory: boolean,
  best: number,
): number {
  for (let at = indexes.length - 1; at >= 0; at--) {
    const index = indexes[at] as number;
    if (index <= best) return best;
    const glob = globs[index] as Glob;
    if ((isDirectory || !glob.directoriesOnly) && fitsGlob(glob, directory, name)) return index;
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
