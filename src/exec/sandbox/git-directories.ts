import { readFileSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { errnoOf } from "../../base/errno.ts";
import { childOf, isWithin } from "../../base/paths.ts";

/**
 * Finds the git directories of a root that lie outside all roots: a worktree or a submodule has a file `.git` that
 * names its directory elsewhere. A command needs them for reading at least.
 */
export function gitDirectoriesOutside(root: string, roots: readonly string[]): readonly string[] {
  const directory = pathIn(childOf(root, ".git"), root, /^gitdir: (.+)$/m);
  if (directory === undefined) return [];
  const common = pathIn(childOf(directory, "commondir"), directory, /^(.+)$/m);
  const found = [directory, ...(common === undefined ? [] : [common])];
  return found.filter((path) => !roots.some((each) => isWithin(path, each)));
}

/** Returns the real path that a file names, relative to a directory; undefined where there is no such file or place. */
function pathIn(file: string, base: string, pattern: RegExp): string | undefined {
  try {
    const named = pattern.exec(readFileSync(file, "utf8"))?.[1];
    return named === undefined ? undefined : realpathSync.native(resolve(base, named));
  } catch (error) {
    if (["ENOENT", "EISDIR", "ENOTDIR", "EACCES", "ELOOP"].includes(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}
