import { relativePath } from "../../../base/paths.ts";
import type { SafePath } from "../../../storage/storage.ts";
import { type Glob, globsOf } from "../../../text/glob/glob.ts";
import { DEFAULT_EXCLUDES } from "../../../text/glob/ignore.ts";
import { endsInPlainName, scopeMatcher } from "../search-scope.ts";
import type { SearchScope } from "../search.ts";

/** Selects files by arguments of ripgrep. They may select more files than the scope does, never fewer. */
export interface RipgrepScope {
  readonly args: readonly string[];
  /** Is true if results must be checked against the ignore rules, because the arguments do not express all of them. */
  readonly needsRuleCheck: boolean;
}

/** Translates a scope. Leaves out patterns that ripgrep might read differently. */
export function ripgrepScope(scope: SearchScope, start: SafePath, denied: readonly SafePath[]): RipgrepScope {
  const excluded = excludeArguments(scope);
  const included = includeArguments(scope.globs);
  const hidden = scopeMatcher(scope).includeHidden ? ["--hidden"] : [];
  // ripgrep would not list files that ignore files exclude and the caller includes again by a negated pattern.
  const ignored = scope.includeIgnored || excluded.hasNegation ? ["--no-ignore"] : [];
  const defaults = ignored.length > 0 ? [] : DEFAULT_EXCLUDES.map((pattern) => `--glob=!${pattern}`);
  const deniedArgs = denied.map((place) => `--glob=!/${escapedGlob(relativePath(start, place))}`);
  return {
    // Later patterns take precedence: exclusions over inclusions, and paths that the rules deny over everything.
    args: [...hidden, ...ignored, ...included.args, ...defaults, ...excluded.args, ...deniedArgs],
    needsRuleCheck: included.needsRuleCheck || excluded.needsRuleCheck,
  };
}

/** Uses a file type where it can: a glob would override ignore files in ripgrep. A type matches names only. */
function includeArguments(globs: readonly Glob[]): RipgrepScope {
  if (!globs.every(isPlainlyWritten)) return { args: [], needsRuleCheck: false };
  if (!globs.some(endsInPlainName)) return { args: typeOf(globs.map(lastName)), needsRuleCheck: false };
  const words = globs.flatMap(({ source }) => [source, allBelow(source.replace(/\/$/, ""))]);
  return { args: words.map((glob) => `--glob=${glob}`), needsRuleCheck: true };
}

const allBelow = (source: string): string => (source.includes("/") ? `${source}/**` : `**/${source}/**`);

function typeOf(names: readonly string[]): readonly string[] {
  if (names.length === 0 || names.includes("**")) return [];
  return [...names.map((name) => `--type-add=selected:${name}`), "--type=selected"];
}

const lastName = ({ source }: Glob): string => source.slice(source.lastIndexOf("/") + 1);

interface ExcludeArguments extends RipgrepScope {
  /** Is true if some patterns include again what other patterns or ignore files exclude. */
  readonly hasNegation: boolean;
}

function excludeArguments({ exclude }: SearchScope): ExcludeArguments {
  if (exclude.some((pattern) => pattern.startsWith("!"))) return { args: [], needsRuleCheck: true, hasNegation: true };
  const globs = exclude.flatMap((pattern) => globsOf(pattern, "exclude"));
  const plain = globs.filter(isPlainlyWritten);
  const words = plain.map(({ source }) => `--glob=!${source}`);
  return { args: words, needsRuleCheck: plain.length < globs.length, hasNegation: false };
}

/** Returns true if every implementation of globs reads the pattern in the same way. */
const isPlainlyWritten = ({ source }: Glob): boolean =>
  source
    .replace(/^\/|\/$/g, "")
    .split("/")
    .every((name) => name === "**" || (/^[\w.?*-]+$/.test(name) && !name.includes("**")));

const escapedGlob = (path: string): string => path.replaceAll(/[\\*?[\]{}!]/g, "\\$&");
