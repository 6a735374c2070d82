import { LIMITS } from "../../base/limits.ts";
import { isWithin } from "../../base/paths.ts";
import { type Glob, globOf, globsOf, type NamesOf } from "./glob.ts";
import { createGlobSet, type GlobSet } from "./glob-set.ts";

/** These stay ignored whatever a .gitignore says: git does not show them either. */
const NEVER_SHOWN = [".git/", ".hg/", ".svn/"];

/** These are ignored in trees and searches unless the caller asks for them. The notation is that of .gitignore. */
const DEFAULT_IGNORED = [
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

/** All default patterns, for programs such as ripgrep that search on their own. */
export const DEFAULT_EXCLUDES: readonly string[] = [...NEVER_SHOWN, ...DEFAULT_IGNORED];

/** Decides which entries below a directory are ignored. The rules of a deeper directory take precedence, as in git. */
export interface IgnoreRules {
  /** Returns the rules for entries of the directory at `relativePath`. None of its parents may be ignored. */
  inDirectory(relativePath: string): (name: string, isDirectory: boolean) => boolean;
  /** `relativePath` is relative to the base of the rules, with "/" between names. */
  ignores(relativePath: string, isDirectory: boolean): boolean;
  /** Adds the rules of an ignore file in the directory at `relativePath`. */
  within(relativePath: string, text: string): IgnoreRules;
  /** Adds the rules of an ignore file above the base. `relativePath` leads from its directory to the base. */
  below(relativePath: string, text: string): IgnoreRules;
}

/**
 * Creates the initial rules: the defaults, unless everything is requested, and the caller's patterns, which always win.
 */
export function createIgnoreRules(excluded: readonly string[], ignoresDefaults: boolean): IgnoreRules {
  const always = rulesIn(ignoresDefaults ? NEVER_SHOWN : []);
  const own = [...always, ...excluded.filter((pattern) => pattern.trim() !== "").flatMap(excludedBy)];
  const defaults = rulesIn(ignoresDefaults ? DEFAULT_IGNORED : []);
  return rulesOf([layerOf(defaults, START)], layerOf(own, START));
}

interface IgnoreRule {
  readonly glob: Glob;
  readonly isNegated: boolean;
}

/**
 * Compiles a caller's pattern. Unlike in git, braces are expanded and errors are reported, because the caller can fix
 * them.
 */
const excludedBy = (pattern: string): readonly IgnoreRule[] => {
  const isNegated = pattern.startsWith("!");
  const globs = isNegated ? globsOf(pattern.slice(1), "exclude", { negation: "!" }) : globsOf(pattern, "exclude");
  return globs.map((glob) => ({ glob, isNegated }));
};

const rulesIn = (lines: readonly string[]): readonly IgnoreRule[] => lines.flatMap((line) => ruleFrom(line) ?? []);

/** Parses a line of an ignore file. A malformed line ignores nothing, as in git. */
function ruleFrom(line: string): IgnoreRule | undefined {
  const text = line.replace(TRAILING_SPACES, "$1");
  if (text === "" || text.startsWith("#") || text.length > LIMITS.patternChars) return undefined;
  const isNegated = text.startsWith("!");
  const glob = globOf(isNegated ? text.slice(1) : text);
  return glob && { glob, isNegated };
}

/** Matches trailing spaces, which are ignored unless a backslash escapes them. */
const TRAILING_SPACES = /(^|[^\\ ](?:\\\\)*|(?:\\\\)*\\ ) +$/;

/** The base directory of a set of rules. */
interface LayerPosition {
  /**
   * Holds the directory of the rules, or, if that is above the base, `prefix` holds the names from there to the base.
   */
  readonly base: string;
  readonly prefix: readonly string[];
}

/** The rules of one ignore file in order. The last rule that matches an entry decides. */
interface Layer extends LayerPosition {
  readonly rules: readonly IgnoreRule[];
  readonly set: GlobSet;
}

const START: LayerPosition = { base: "", prefix: [] };

function layerOf(rules: readonly IgnoreRule[], { base, prefix }: LayerPosition): Layer {
  const namesOf: NamesOf = (relativePath) =>
    [...prefix, ...relativePath.slice(base.length).split("/")].filter((name) => name !== "");
  const globs = rules.map(({ glob }) => glob);
  return { base, prefix, rules, set: createGlobSet(globs, namesOf) };
}

function rulesOf(layers: readonly Layer[], excluded: Layer): IgnoreRules {
  const strongestFirst = [excluded, ...layers.toReversed()].filter(({ rules }) => rules.length > 0);
  const isEverywhere = strongestFirst.every(({ base }) => base === "");
  const added = (how: "within" | "below", relativePath: string, text: string) => {
    const place = how === "within" ? { base: relativePath, prefix: [] } : { base: "", prefix: relativePath.split("/") };
    const layer = layerOf(rulesIn(text.replace(/^\uFEFF/, "").split(/\r?\n/)), place);
    return rulesOf([...layers, layer], excluded);
  };
  const at: IgnoreRules["inDirectory"] = (relativePath) => {
    const here = isEverywhere ? strongestFirst : strongestFirst.filter(({ base }) => isWithin(relativePath, base));
    return (name, isDirectory) => {
      for (const { rules, set } of here) {
        const last = set.last(relativePath, name, isDirectory);
        if (last >= 0) return !(rules[last] as IgnoreRule).isNegated;
      }
      return false;
    };
  };
  return {
    inDirectory: at,
    ignores(relativePath, isDirectory) {
      const end = relativePath.lastIndexOf("/");
      return at(relativePath.slice(0, Math.max(0, end)))(relativePath.slice(end + 1), isDirectory);
    },
    within: (relativePath, text) => added("within", relativePath, text),
    below: (relativePath, text) => added("below", relativePath, text),
  };
}
