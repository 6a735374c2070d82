import type { Entry } from "../../storage/storage.ts";
import { type Glob, mayContainMatch } from "../../text/glob/glob.ts";
import { createGlobSet } from "../../text/glob/glob-set.ts";

/** Which paths below a start are wanted. */
export interface PathMatcher {
  /** What fits of the entries of one directory. */
  entryMatcher(way: string): (entry: Entry) => boolean;
  /** Whether anything below a directory may fit. */
  enters(way: string): boolean;
  /** Whether anything hidden may fit. */
  readonly includeHidden: boolean;
}

/** A pattern that names something hidden finds it without being told twice; the others still pass over it. */
export function createPathMatcher(globs: readonly Glob[], includeHidden: boolean): PathMatcher {
  const forHidden = includeHidden ? globs : globs.filter(({ namesHidden }) => namesHidden);
  const [all, hidden] = [createGlobSet(globs), createGlobSet(forHidden)];
  const isAnywhere = globs.some(({ isName, steps }) => isName || steps[0] === null);
  return {
    entryMatcher(relativePath) {
      const isHidden = HIDDEN.test(relativePath);
      return ({ name, kind }) => {
        const set = isHidden || name.startsWith(".") ? hidden : all;
        return set.last(relativePath, name, kind === "directory") >= 0;
      };
    },
    enters: (way) => isAnywhere || mayMatchBelow(globs, way.split("/")),
    includeHidden: includeHidden || forHidden.length > 0,
  };
}

const HIDDEN = /(?:^|\/)\./;

const mayMatchBelow = (globs: readonly Glob[], names: readonly string[]): boolean =>
  globs.some((glob) => mayContainMatch(glob, names));
