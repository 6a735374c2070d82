import { createHash } from "node:crypto";
import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";
import type { FoundProgram, Programs } from "../shell/judgement.ts";

/** Says which directories the shell searches, and which the agent can change. */
export interface SearchOptions {
  /** The PATH in the environment of the command. */
  readonly path: string;
  /** Real paths of directories in which the agent can create or change files. */
  readonly writable: readonly string[];
}

/**
 * Creates a lookup of programs on this machine. A name is resolved once: later finds give the same answer. Directories
 * are looked at with the first name: many commands need none but those of the shell.
 */
export function createPrograms(options: SearchOptions): Programs {
  const found = new Map<string, FoundProgram>();
  let search: Search | undefined;
  return {
    find(name) {
      search ??= searchOf(options);
      const known = found.get(name) ?? resolve(name, search, options);
      found.set(name, known);
      return known;
    },
  };
}

/** The directories of PATH in order. Those before `safe` are out of the agent's reach, up to the first that is not. */
interface Search {
  readonly directories: readonly string[];
  readonly safe: number;
}

function searchOf(options: SearchOptions): Search {
  const directories = options.path.split(delimiter);
  const unsafe = directories.findIndex((directory) => !isSafeDirectory(directory, options));
  return { directories, safe: unsafe === -1 ? directories.length : unsafe };
}

function resolve(name: string, search: Search, options: SearchOptions): FoundProgram {
  if (name.includes("/")) return resolvePath(name, search, options);
  const at = search.directories.findIndex((directory) => isAbsolute(directory) && isProgram(join(directory, name)));
  const directory = search.directories[at];
  if (directory === undefined) return { file: undefined, isSafe: search.safe === search.directories.length };
  const file = join(directory, name);
  return { file, isSafe: isOutOfReach(file, options) && isUnshadowed(file, at, search) };
}

/** A path is safe only if the shell would search its directory as well: any other file may have the name of a program. */
function resolvePath(path: string, search: Search, options: SearchOptions): FoundProgram {
  if (!isAbsolute(path) || !isProgram(path)) return { file: isProgram(path) ? path : undefined, isSafe: false };
  const at = search.directories.findIndex((directory) => realPath(directory) === realPath(dirname(path)));
  const isPlain = at !== -1 && !path.split(sep).includes("..");
  return { file: path, isSafe: isPlain && isOutOfReach(path, options) && isUnshadowed(path, at, search) };
}

/**
 * Returns whether the agent can put no program before one of PATH, nor in the place of one that it starts. Scripts start
 * others by name, as egrep does grep, and these may be missing from the directories that come first.
 */
const isUnshadowed = (file: string, at: number, { directories, safe }: Search): boolean =>
  at < safe && (safe === directories.length || !isScript(file));

function isScript(file: string): boolean {
  try {
    return readFileSync(file).subarray(0, 2).toString("latin1") === "#!";
  } catch {
    // What cannot be read may be one.
    return true;
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Returns whether the agent can change neither the file nor the links that lead to it. */
function isOutOfReach(file: string, options: SearchOptions): boolean {
  const real = realPath(file);
  if (real === undefined || (statSync(real).mode & OTHERS_WRITE) !== 0) return false;
  return [dirname(file), dirname(real)].every((directory) => isSafeDirectory(directory, options));
}

const OTHERS_WRITE = 0o002;

/** A missing directory is safe if the one that would hold it is. */
function isSafeDirectory(directory: string, options: SearchOptions): boolean {
  if (!isAbsolute(directory)) return false;
  const real = realPath(directory);
  if (real === undefined) return directory !== "/" && isSafeDirectory(dirname(directory), options);
  if (options.writable.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)))
    return false;
  return ancestorsOf(real).every((ancestor) => (statSync(ancestor).mode & OTHERS_WRITE) === 0);
}

/** Lists a directory and all above it. */
function ancestorsOf(directory: string): readonly string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...ancestorsOf(parent)];
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Identifies the file of a program, to compare when it is started. */
export interface ProgramIdentity {
  readonly path: string;
  readonly device: string;
  readonly inode: string;
  /** The SHA-256 of its content where the agent could change it in place; undefined elsewhere. */
  readonly hash: string | undefined;
}

/** Returns the identity of a program that was found; undefined where it is gone. */
export function identityOf({ file, isSafe }: FoundProgram): ProgramIdentity | undefined {
  const path = file === undefined ? undefined : realPath(file);
  if (path === undefined) return undefined;
  const { dev, ino } = statSync(path, { bigint: true });
  const hash = isSafe ? undefined : createHash("sha256").update(readFileSync(path)).digest("hex");
  return { path, device: String(dev), inode: String(ino), hash };
}
