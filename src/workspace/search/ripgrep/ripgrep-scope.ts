import { relativePath } from "../../../base/paths.ts";
import type { SafePath } from "../../../storage/storage.ts";
import { type Glob, globsOf } from "../../../text/glob/glob.ts";
import { DEFAULT_EXCLUDES } from "../../../text/glob/ignore.ts";
import { endsInPlainName, scopeMatcher } from "../search-scope.ts";
import type { SearchScope } from "../search.ts";

/** How ripgrep is told which files to look into. It may name more of them than are wanted, never fewer. */
export interface RipgrepScope {
  readonly args: readonly string[];
  /** Whether ignore rules have to be asked again for what it names: it was told less than all, or it sees some otherwise. */
  readonly needsRuleCheck: boolean;
}

/** Patterns that might mean something else to ripgrep are not given to it. */
export function ripgrepScope(scope: SearchScope, start: SafePath, closed: readonly SafePath[]): RipgrepScope {
  const excluded = excludeArguments(scope);
  const included = includeArguments(scope.globs);
  const hidden = scopeMatcher(scope).includeHidden ? ["--hidden"] : [];
  // What a caller takes back from ignore files, ripgrep would not name.
  const ignored = scope.includeIgnored || excluded.hasNegation ? ["--no-ignore"] : [];
  const usual = ignored.length > 0 ? [] : DEFAULT_EXCLUDES.map((pattern) => `--glob=!${pattern}`);
  const barred = closed.map((place) => `--glob=!/${escapedGlob(relativePath(start, place))}`);
  return {
    // Later patterns are stronger: what is excluded is so whatever else says, and what the rules close before all.
    args: [...hidden, ...ignored, ...included.args, ...usual, ...excluded.args, ...barred],
    needsRuleCheck: included.needsRuleCheck || excluded.needsRuleCheck,
  };
}

/** To ripgrep a glob is stronger than ignore files; a type is not, but knows only names. */
function includeArguments(globs: readonly Glob[]): RipgrepScope {
  if (!globs.every(isPlainlyWritten)) return { args: [], needsRuleCheck: false };
  if (!globs.some(endsInPlainName)) return { args: typeOf(globs.map(lastName)), needsRuleCheck: false };
  const words = globs.flatMap(({ source }) => [source, allBelow(source.replace(/\/$/, ""))]);
  return { args: words.map((glob) => `--glob=${glob}`), needsRuleCheck: true };
}

const allBelow = (source: string): string => (source.includes("/") ? `${source}/**` : `**/${source}/**`);

function typeOf(names: readonly string[]): readonly string[] {
  if (names.length === 0 || names.includes("**")) return [];
  return [...names.map((name) => `--type-add=wanted:${name}`), "--type=wanted"];
}

const lastName = ({ source }: Glob): string => source.slice(source.lastIndexOf("/") + 1);

interface ExcludeArguments extends RipgrepScope {
  /** Some patterns bring back what others, or ignore files, leave out. */
  readonly hasNegation: boolean;
}

function excludeArguments({ exclude }: SearchScope): ExcludeArguments {
  if (exclude.some((pattern) => pattern.startsWith("!"))) return { args: [], needsRuleCheck: true, hasNegation: true };
  const globs = exclude.flatMap((pattern) => globsOf(pattern, "exclude"));
  const plain = globs.filter(isPlainlyWritten);
  const words = plain.map(({ source }) => `--glob=!${source}`);
  return { args: words, needsRuleCheck: plain.length < globs.length, hasNegation: false };
}

/** Whether everybody who knows globs reads a pattern in the same way. */
const isPlainlyWritten = ({ source }: Glob): boolean =>
  source
    .replace(/^\/|\/$/g, "")
    .split("/")
    .every((name) => name === "**" || (/^[\w.?*-]+$/.test(name) && !name.includes("**")));

const escapedGlob = (path: string): string => path.replaceAll(/[\\*?[\]{}!]/g, "\\$&");
