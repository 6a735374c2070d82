import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { errnoOf } from "../../base/errno.ts";
import { childOf, isWithin, nameIn, parentOf } from "../../base/paths.ts";

/** The repository of a root whose `.git` is a file that names a directory outside all roots. */
export interface OutsideRepository {
  /** The directory that git has to read; undefined where it must stay closed. */
  readonly directory: string | undefined;
}

/**
 * Finds the repository of a worktree or a submodule. The agent can write the file `.git`, so a directory that it names
 * is shown only if that is the user's, is a repository, and names this root as the place of its files: what lies outside
 * the roots is out of the agent's reach. Returns undefined where the root has no such file, or one that stays inside.
 */
export function outsideRepository(root: string, roots: readonly string[]): OutsideRepository | undefined {
  const named = nameInFile(childOf(root, ".git"), /^gitdir: ([^\0\n]+)$/m);
  if (named === undefined) return undefined;
  const found = realPath(resolve(root, named));
  if (found === undefined) return { directory: undefined };
  if (isInside(found, roots)) return undefined;
  const directory = worktreeRepository(found, root) ?? submoduleRepository(found, root);
  return { directory: directory !== undefined && isRepository(directory) ? directory : undefined };
}

const isInside = (path: string, roots: readonly string[]): boolean => roots.some((root) => isWithin(path, root));

/** A worktree is registered in `worktrees` of its repository, in a directory whose file `gitdir` names its `.git`. */
function worktreeRepository(registered: string, root: string): string | undefined {
  const files = pathIn(childOf(registered, "gitdir"), registered, /^([^\0\n]+)$/m);
  const common = pathIn(childOf(registered, "commondir"), registered, /^([^\0\n]+)$/m);
  const isRegistered = files === childOf(root, ".git") && nameIn(parentOf(registered)) === "worktrees";
  return isRegistered && common === parentOf(parentOf(registered)) ? common : undefined;
}

/** The repository of a submodule names the place of its files in its settings. */
function submoduleRepository(directory: string, root: string): string | undefined {
  const files = pathIn(childOf(directory, "config"), directory, /^\s*worktree = ([^\0\n]+)$/m);
  return files === root ? directory : undefined;
}

function isRepository(directory: string): boolean {
  const isOwn = statSync(directory, { throwIfNoEntry: false })?.uid === process.getuid?.();
  const isThere = (name: string): boolean =>
    statSync(childOf(directory, name), { throwIfNoEntry: false }) !== undefined;
  return isOwn && ["HEAD", "objects", "refs"].every(isThere);
}

/** Returns the real path that a file names, relative to a directory; undefined where there is no such file or place. */
function pathIn(file: string, base: string, pattern: RegExp): string | undefined {
  const named = nameInFile(file, pattern);
  return named === undefined ? undefined : realPath(resolve(base, named));
}

const nameInFile = (file: string, pattern: RegExp): string | undefined =>
  orMissing(() => pattern.exec(textOf(file))?.[1]);

const realPath = (path: string): string | undefined => orMissing(() => realpathSync.native(path));

function orMissing(look: () => string | undefined): string | undefined {
  try {
    return look();
  } catch (error) {
    if (MISSING.has(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}

const MISSING = new Set(["ENOENT", "EISDIR", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG", "ENXIO"]);

/** Reads the start of a file. Follows no link and waits for no FIFO: the file may be the agent's. */
function textOf(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) return "";
    const bytes = Buffer.alloc(MOST_BYTES);
    return bytes.toString("utf8", 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}

const MOST_BYTES = 16 * 1024;

/**
 * Lists what decides which programs git runs: a command that works on the files themselves can only read it. In a
 * worktree or a submodule that is the file `.git`.
 */
export function gitControlFiles(root: string): readonly string[] {
  const git = childOf(root, ".git");
  if (lstatSync(git, { throwIfNoEntry: false })?.isFile()) return [git];
  return ["hooks", "config", "config.worktree", "info/attributes"].map((name) => childOf(git, name));
}
