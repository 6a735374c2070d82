/**
 * Checks for a place in a repository that decides what git runs or which other places it obeys: hooks, configuration and
 * attributes, the steps of an unfinished rebase, cherry-pick or am (a step may be a command), remotes of the old form,
 * borrowed objects, and the files that say where git finds all these; also in submodules and worktrees. A whole directory
 * counts when such a place may lie in it.
 */
export function isGitControl(path: string, isTree = false): boolean {
  const names = namesInGit(path);
  return names !== undefined && isControl(names, isTree);
}

/** Checks for the steps that git has still to do. They are run if they are there: nobody has to ask before their deletion. */
export const isUnfinishedSequence = (path: string): boolean =>
  namesInGit(path)?.some((name) => SEQUENCES.has(name)) === true;

/** Returns the names below the innermost git directory of a path; undefined where there is none. */
function namesInGit(path: string): readonly string[] | undefined {
  const names = path.toLowerCase().split("/");
  const at = names.lastIndexOf(".git");
  return at < 0 ? undefined : names.slice(at + 1);
}

/** Follows the names below a git directory. */
function isControl(names: readonly string[], isTree: boolean): boolean {
  const [name, second, third] = names;
  if (name === undefined) return isTree;
  if (CONTROLS.has(name) || SEQUENCES.has(name) || name.startsWith("config")) return true;
  if (second === undefined) return isTree && HOLDING_CONTROLS.has(name);
  if (name === "info") return second === "attributes";
  if (name === "objects") return second === "info" && (third === undefined ? isTree : third === "alternates");
  // The name of a submodule may have several parts.
  return NESTED.has(name) && (isTree || names.some((_, at) => at > 0 && isControl(names.slice(at), false)));
}

const CONTROLS: ReadonlySet<string> = new Set(["hooks", "commondir", "gitdir", "remotes", "branches"]);
const SEQUENCES: ReadonlySet<string> = new Set(["rebase-merge", "rebase-apply", "sequencer"]);
const NESTED: ReadonlySet<string> = new Set(["modules", "worktrees"]);
const HOLDING_CONTROLS: ReadonlySet<string> = new Set(["info", "objects", ...NESTED]);

/** Checks for what git keeps: it deletes so often that the trash would hold nothing else. */
export const isInGit = (path: string): boolean => path.toLowerCase().includes("/.git/");
