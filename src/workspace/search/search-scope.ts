import { childOf } from "../../base/paths.ts";
import type { Entry, SafePath } from "../../storage/storage.ts";
import { belowGlob, type Glob, globsOf } from "../../text/glob/glob.ts";
import { createIgnoreRules, type IgnoreRules } from "../../text/glob/ignore.ts";
import { rulesFromAbove, rulesWithin } from "../walk/ignore-files.ts";
import { IGNORE_FILES } from "../walk/ignore-file-names.ts";
import { createPathMatcher, type PathMatcher } from "../walk/path-matcher.ts";
import type { SearchScope } from "./search.ts";
import type { View } from "../view.ts";

const EVERYTHING = globsOf("**", "glob");

/** Matches the files below the start that the globs of a search select. */
export const scopeMatcher = ({ globs, includeHidden }: SearchScope): PathMatcher =>
  createPathMatcher(globs.length === 0 ? EVERYTHING : globs.flatMap(withContents), includeHidden);

/** Adds everything below a glob that ends in a plain name, since that name may be a directory. */
const withContents = (glob: Glob): readonly Glob[] => (endsInPlainName(glob) ? [glob, belowGlob(glob)] : [glob]);

/** Returns true if the last name of a pattern has no wildcard. */
export const endsInPlainName = ({ source }: Glob): boolean => !/[*?[\\][^/]*\/?$/.test(source);

export type ScopeCheck = (relativePath: string) => Promise<boolean>;

/** Creates a check for files that ripgrep names: by the globs of the search and, if `checksRules`, by ignore rules. */
export async function createScopeCheck(
  view: View,
  start: SafePath,
  scope: SearchScope,
  checksRules: boolean,
): Promise<ScopeCheck> {
  const matcher = scopeMatcher(scope);
  const isAny = scope.globs.length === 0 && scope.includeHidden;
  const isNamed = (relativePath: string): boolean =>
    isAny || matcher.entryMatcher(parentPath(relativePath))({ name: nameIn(relativePath), kind: "file" });
  const own = createIgnoreRules(scope.exclude, !scope.includeIgnored);
  const rules = scope.includeIgnored ? own : await rulesFromAbove(view, own, start);
  if (!checksRules && rules === own) return async (relativePath) => isNamed(relativePath);
  const isIgnored = createIgnoredCheck(view, start, rules, scope.includeIgnored);
  return async (relativePath) => isNamed(relativePath) && !(await isIgnored(relativePath));
}

/** Checks ignore rules. Every directory above a file may add some; the rules of each directory are cached. */
function createIgnoredCheck(view: View, start: SafePath, rules: IgnoreRules, includeIgnored: boolean) {
  const cache = new Map<string, Promise<IgnoreRules | null>>();
  /** Returns the rules that apply in a directory, or null if it is ignored itself. */
  const rulesIn = (relativePath: string): Promise<IgnoreRules | null> => {
    const found = cache.get(relativePath) ?? readRules(relativePath);
    cache.set(relativePath, found);
    return found;
  };
  const readRules = async (directory: string): Promise<IgnoreRules | null> => {
    const above = directory === "" ? rules : await rulesIn(parentPath(directory));
    if (above === null || (directory !== "" && above.ignores(directory, true))) return null;
    if (includeIgnored) return above;
    const place = directory === "" ? start : childOf(start, directory);
    return rulesWithin(view, above, place, directory, POSSIBLE_IGNORE_FILES);
  };
  return async (relativePath: string): Promise<boolean> => {
    const rulesThere = await rulesIn(parentPath(relativePath));
    return rulesThere === null || rulesThere.ignores(relativePath, false);
  };
}

/** Lists every ignore file as an entry, because directories are not listed here; a missing file reads as empty. */
const POSSIBLE_IGNORE_FILES: readonly Entry[] = IGNORE_FILES.map((name) => ({ name, kind: "file" }));

const parentPath = (relativePath: string): string => relativePath.slice(0, Math.max(0, relativePath.lastIndexOf("/")));

const nameIn = (relativePath: string): string => relativePath.slice(relativePath.lastIndexOf("/") + 1);
