import ignore, { type Ignore } from "ignore";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";

/** What nobody wants to see in a tree or a search unless they ask: data, in the notation of .gitignore. */
const DEFAULT_IGNORED = [
  ".git/",
  ".hg/",
  ".svn/",
  "node_modules/",
  ".venv/",
  "venv/",
  "__pycache__/",
  ".mypy_cache/",
  ".pytest_cache/",
  ".tox/",
  ".gradle/",
  ".next/",
  ".nuxt/",
  ".turbo/",
  ".cache/",
  "coverage/",
  "target/debug/",
  "target/release/",
  ".DS_Store",
];

/** Which entries below one directory are left out. Rules of a deeper directory are stronger, as in git. */
export interface IgnoreRules {
  /** `way` is the path from where the rules began, with "/" between names. */
  ignores(way: string, isDirectory: boolean): boolean;
  /** The same rules, with those of a directory at `way` added. */
  within(way: string, text: string): IgnoreRules;
  /** The same rules, with those of a directory above added; `way` leads from there to where the rules began. */
  below(way: string, text: string): IgnoreRules;
}

/** The rules at the start: the usual suspects, unless all is wanted, and what the caller excludes, whatever else says. */
export function createIgnoreRules(excluded: readonly string[], ignoresUsual: boolean): IgnoreRules {
  refuseWild(excluded);
  const usual = { base: 0, prefix: "", rules: rulesFrom(ignoresUsual ? DEFAULT_IGNORED : []) };
  return rulesOf([usual], rulesFrom(excluded));
}

/** Any name is let through: a file may well be called "...". Patterns that could take for ever are left out. */
function rulesFrom(patterns: string | readonly string[]): Ignore {
  const lines = typeof patterns === "string" ? patterns.split(/\r?\n/) : patterns;
  return ignore({ allowRelativePaths: true }).add(lines.filter(isTame));
}

/** Each "**" is tried at every depth, and they multiply: three are more than any honest pattern has. */
const isTame = (pattern: string): boolean => pattern.length <= LIMITS.patternChars && pattern.split("**").length <= 3;

function refuseWild(patterns: readonly string[]): void {
  const wild = patterns.find((pattern) => !isTame(pattern));
  if (wild === undefined) return;
  const shown = JSON.stringify(wild.slice(0, LIMITS.shownNameChars));
  throw new Fault("invalid_input", `Cannot exclude ${shown}: it is too long, or has "**" more than twice`, {
    argument: "exclude",
  });
}

interface Layer {
  /** How much of a way lies above these rules, or which way leads from them to the start. */
  readonly base: number;
  readonly prefix: string;
  readonly rules: Ignore;
}

function rulesOf(layers: readonly Layer[], excluded: Ignore): IgnoreRules {
  const added = (way: string, text: string, prefix: string) =>
    rulesOf([...layers, { base: way === "" ? 0 : way.length + 1, prefix, rules: rulesFrom(text) }], excluded);
  return {
    ignores(way, isDirectory) {
      const path = isDirectory ? `${way}/` : way;
      return excluded.ignores(path) || isIgnored(layers, path);
    },
    within: (way, text) => added(way, text, ""),
    below: (way, text) => added("", text, `${way}/`),
  };
}

/** The deepest layer that says anything decides. */
function isIgnored(layers: readonly Layer[], path: string): boolean {
  for (const { base, prefix, rules } of layers.toReversed()) {
    const { ignored, unignored } = rules.test(prefix + path.slice(base));
    if (ignored || unignored) return ignored;
  }
  return false;
}
