import ignore, { type Ignore } from "ignore";

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
  /** The same rules, with those of a directory below added. */
  within(way: string, text: string): IgnoreRules;
}

/** The rules at the top: the usual suspects, and what the caller wants out. */
export function createIgnoreRules(excluded: readonly string[], ignoresUsual: boolean): IgnoreRules {
  const patterns = [...(ignoresUsual ? DEFAULT_IGNORED : []), ...excluded];
  return rulesOf([{ base: "", rules: ignore().add(patterns) }]);
}

interface Layer {
  readonly base: string;
  readonly rules: Ignore;
}

function rulesOf(layers: readonly Layer[]): IgnoreRules {
  return {
    ignores: (way, isDirectory) => isIgnored(layers, isDirectory ? `${way}/` : way),
    within: (way, text) => rulesOf([...layers, { base: way === "" ? "" : `${way}/`, rules: ignore().add(text) }]),
  };
}

/** The deepest layer that says anything decides. */
function isIgnored(layers: readonly Layer[], way: string): boolean {
  for (const { base, rules } of layers.toReversed()) {
    const { ignored, unignored } = rules.test(way.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
