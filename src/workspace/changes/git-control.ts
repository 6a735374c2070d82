/**
 * Checks for a place in a repository that decides what git runs: hooks, configuration and attributes, also those of
 * submodules and worktrees, and the file that says where git finds them (`commondir`). A whole directory counts when
 * such a place may lie in it.
 */
export function isGitControl(path: string, isTree = false): boolean {
  const names = path.toLowerCase().split("/");
  const at = names.lastIndexOf(".git");
  return at >= 0 && isControl(names.slice(at + 1), isTree);
}

/** Follows the names below a git directory. */
function isControl([name, second, ...rest]: readonly string[], isTree: boolean): boolean {
  if (name === undefined) return isTree;
  if (name === "hooks" || name === "commondir" || name.startsWith("config")) return true;
  if (second === undefined) return isTree && HOLDING_CONTROLS.includes(name);
  if (name === "info") return second === "attributes";
  // The name of a submodule may have several parts.
  return NESTED.includes(name) && (isTree || [second, ...rest].some((each) => isControl([each], false)));
}

const NESTED = ["modules", "worktrees"];
const HOLDING_CONTROLS = ["info", ...NESTED];

/** Checks for what git keeps: it deletes so often that the trash would hold nothing else. */
export const isInGit = (path: string): boolean => path.toLowerCase().includes("/.git/");
