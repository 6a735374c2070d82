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

/** Which files below its start a search looks into, as far as its globs say. */
export const scopeMatcher = ({ globs, includeHidden }: SearchScope): PathMatcher =>
  createPathMatcher(globs.length === 0 ? EVERYTHING : globs.flatMap(withContents), includeHidden);

/** A glob that ends in a plain name may mean a directory, and then all that is in it. */
const withContents = (glob: Glob): readonly Glob[] => (endsInPlainName(glob) ? [glob, belowGlob(glob)] : [glob]);

/** Whether the last name of a pattern stands for itself. */
export const endsInPlainName = ({ source }: Glob): boolean => !/[*?[\\][^/]*\/?$/.test(source);

export type ScopeCheck = (way: string) => boolean | Promise<boolean>;

/** Whether a file that somebody else came across belongs to a search: by its globs, and by ignore rules where that is to be asked. */
export async function createScopeCheck(
  view: View,
  start: SafePath,
  scope: SearchScope,
  asksRules: boolean,
): Promise<ScopeCheck> {
  const matcher = scopeMatcher(scope);
  const isAny = scope.globs.length === 0 && scope.includeHidden;
  const isNamed = (relativePath: string): boolean =>
    isAny || matcher.entryMatcher(parentPath(relativePath))({ name: nameIn(relativePath), kind: "file" });
  const own = createIgnoreRules(scope.exclude, !scope.includeIgnored);
  const rules = scope.includeIgnored ? own : await rulesFromAbove(view, own, start);
  if (!asksRules && rules === own) return isNamed;
  const isIgnored = createIgnoredCheck(view, start, rules, scope.includeIgnored);
  return async (way) => isNamed(way) && !(await isIgnored(way));
}

/** Every directory on the way may add rules; what it adds is read once. */
function createIgnoredCheck(view: View, start: SafePath, rules: IgnoreRules, includeIgnored: boolean) {
  const known = new Map<string, Promise<IgnoreRules | null>>();
  /** The rules in a directory; null when it is ignored itself. */
  const rulesIn = (relativePath: string): Promise<IgnoreRules | null> => {
    const found = known.get(relativePath) ?? readRules(relativePath);
    known.set(relativePath, found);
    return found;
  };
  const readRules = async (way: string): Promise<IgnoreRules | null> => {
    const above = way === "" ? rules : await rulesIn(parentPath(way));
    if (above === null || (way !== "" && above.ignores(way, true))) return null;
    if (includeIgnored) return above;
    return rulesWithin(view, above, way === "" ? start : childOf(start, way), way, POSSIBLE_IGNORE_FILES);
  };
  return async (way: string): Promise<boolean> => {
    const there = await rulesIn(parentPath(way));
    return there === null || there.ignores(way, false);
  };
}

/** They are read where they exist. */
const POSSIBLE_IGNORE_FILES: readonly Entry[] = IGNORE_FILES.map((name) => ({ name, kind: "file" }));

const parentPath = (relativePath: string): string => relativePath.slice(0, Math.max(0, relativePath.lastIndexOf("/")));

const nameIn = (relativePath: string): string => relativePath.slice(relativePath.lastIndexOf("/") + 1);
