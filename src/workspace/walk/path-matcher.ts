import type { Entry } from "../../storage/storage.ts";
import { type Glob, mayContainMatch } from "../../text/glob/glob.ts";
import { createGlobSet } from "../../text/glob/glob-set.ts";

/** Selects paths below the start of a walk. */
export interface PathMatcher {
  /** Returns a predicate for the entries of one directory. */
  entryMatcher(relativePath: string): (entry: Entry) => boolean;
  /** Returns true if something below a directory may match. */
  enters(relativePath: string): boolean;
  /** Is true if a hidden entry may match. */
  readonly includeHidden: boolean;
}

/** Lets a pattern that names a hidden entry match it without `includeHidden`; other patterns skip hidden entries. */
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
    enters: (relativePath) => isAnywhere || mayMatchBelow(globs, relativePath.split("/")),
    includeHidden: includeHidden || forHidden.length > 0,
  };
}

const HIDDEN = /(?:^|\/)\./;

const mayMatchBelow = (globs: readonly Glob[], names: readonly string[]): boolean =>
  globs.some((glob) => mayContainMatch(glob, names));
