import { LIMITS } from "../../base/limits.ts";
import { isWithin } from "../../base/paths.ts";
import { type Glob, globOf, globsOf, type NamesOf } from "./glob.ts";
import { createGlobSet, type GlobSet } from "./glob-set.ts";

/** What no file can bring back: not even git shows it. */
const NEVER_SHOWN = [".git/", ".hg/", ".svn/"];

/** What nobody wants to see in a tree or a search unless they ask: data, in the notation of .gitignore. */
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

/** All of it, for whoever looks beside us. */
export const DEFAULT_EXCLUDES: readonly string[] = [...NEVER_SHOWN, ...DEFAULT_IGNORED];

/** Which entries below one directory are left out. Rules of a deeper directory are stronger, as in git. */
export interface IgnoreRules {
  /** The rules as they are in the directory at `way`; nothing above it may be ignored. */
  inDirectory(relativePath: string): (name: string, isDirectory: boolean) => boolean;
  /** `way` is the path from where the rules began, with "/" between names. */
  ignores(relativePath: string, isDirectory: boolean): boolean;
  /** The same rules, with those of a directory at `way` added. */
  within(relativePath: string, text: string): IgnoreRules;
  /** The same rules, with those of a directory above added; `way` leads from there to where the rules began. */
  below(relativePath: string, text: string): IgnoreRules;
  /** All that they are made of, from which another thread makes the same. */
  serializedRules(): string;
}

/** The rules at the start: the usual suspects, unless all is wanted, and what the caller excludes, whatever else says. */
export function createIgnoreRules(excluded: readonly string[], ignoresUsual: boolean): IgnoreRules {
  const always = rulesIn(ignoresUsual ? NEVER_SHOWN : []);
  const own = [...always, ...excluded.filter((pattern) => pattern.trim() !== "").flatMap(excludedBy)];
  const usual = rulesIn(ignoresUsual ? DEFAULT_IGNORED : []);
  return rulesOf([layerOf(usual, START)], layerOf(own, START), { excluded, ignoresUsual, added: [] });
}

/** The rules that a recipe tells of. */
export function ignoreRulesFrom(serializedRules: string): IgnoreRules {
  const { excluded, ignoresUsual, added } = JSON.parse(serializedRules) as SerializedIgnoreRules;
  const start = createIgnoreRules(excluded, ignoresUsual);
  return added.reduce((rules, { how, relativePath, text }) => rules[how](relativePath, text), start);
}

/** What rules were made from. */
interface SerializedIgnoreRules {
  readonly excluded: readonly string[];
  readonly ignoresUsual: boolean;
  readonly added: readonly { readonly how: "within" | "below"; readonly relativePath: string; readonly text: string }[];
}

interface IgnoreRule {
  readonly glob: Glob;
  readonly isNegated: boolean;
}

/** Braces work here, unlike in git, and what is wrong is said: a caller can put it right. */
const excludedBy = (pattern: string): readonly IgnoreRule[] => {
  const isNegated = pattern.startsWith("!");
  const globs = isNegated ? globsOf(pattern.slice(1), "exclude", { negation: "!" }) : globsOf(pattern, "exclude");
  return globs.map((glob) => ({ glob, isNegated }));
};

const rulesIn = (lines: readonly string[]): readonly IgnoreRule[] => lines.flatMap((line) => ruleFrom(line) ?? []);

/** What is not well formed ignores nothing, as in git. */
function ruleFrom(line: string): IgnoreRule | undefined {
  const text = line.replace(TRAILING_SPACES, "$1");
  if (text === "" || text.startsWith("#") || text.length > LIMITS.patternChars) return undefined;
  const isNegated = text.startsWith("!");
  const glob = globOf(isNegated ? text.slice(1) : text);
  return glob && { glob, isNegated };
}

/** Spaces at the end mean nothing, except behind a backslash. */
const TRAILING_SPACES = /(^|[^\\ ](?:\\\\)*|(?:\\\\)*\\ ) +$/;

/** Where rules hold. */
interface LayerPosition {
  /** The directory, or else which names lead from it to the start. */
  readonly base: string;
  readonly prefix: readonly string[];
}

/** The rules of one file, in order: the last that speaks of an entry decides. */
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

function rulesOf(layers: readonly Layer[], excluded: Layer, serializedRules: SerializedIgnoreRules): IgnoreRules {
  const strongestFirst = [excluded, ...layers.toReversed()].filter(({ rules }) => rules.length > 0);
  let written: string | undefined;
  const isEverywhere = strongestFirst.every(({ base }) => base === "");
  const added = (how: "within" | "below", relativePath: string, text: string) => {
    const place = how === "within" ? { base: relativePath, prefix: [] } : { base: "", prefix: relativePath.split("/") };
    const layer = layerOf(rulesIn(text.replace(/^\uFEFF/, "").split(/\r?\n/)), place);
    return rulesOf([...layers, layer], excluded, {
      ...serializedRules,
      added: [...serializedRules.added, { how, relativePath, text }],
    });
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
    serializedRules: () => (written ??= JSON.stringify(serializedRules)),
  };
}
