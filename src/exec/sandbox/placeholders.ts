import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { isWithin } from "../../base/paths.ts";
import { escapedPath } from "./mountinfo.ts";
import { notePlaceholders, sweepPlaceholders } from "./placeholder-notes.ts";

/** A file or a directory that is made in a writable root for the time of a command, so that nothing else can be. */
export interface Placeholder {
  readonly kind: "placeholder";
  readonly path: string;
  readonly isDirectory: boolean;
}

/**
 * Makes the placeholders of a command: empty files and directories at names that must not be taken, such as hooks of a
 * repository. Returns a function that removes those that no other command uses any more; where one cannot be made, that
 * is done before it throws. `notes` is the directory in which processes note theirs.
 */
export function makePlaceholders(held: readonly Placeholder[], notes: string): () => void {
  if (held.length === 0) return () => {};
  notePlaceholders(notes, [...ours.keys(), ...held.filter(isMissing).map(({ path }) => path)]);
  const used: string[] = [];
  const cleanUp = (): void => {
    release(used);
    notePlaceholders(notes, [...ours.keys()]);
  };
  try {
    for (const { path, isDirectory } of held) {
      if (make(path, isDirectory)) ours.set(path, 0);
      const users = ours.get(path);
      if (users === undefined) continue;
      ours.set(path, users + 1);
      used.push(path);
    }
  } catch (error) {
    cleanUp();
    throw error;
  }
  return cleanUp;
}

const isMissing = ({ path }: Placeholder): boolean => lstatSync(path, { throwIfNoEntry: false }) === undefined;

/** Removes the placeholders of processes that have exited, unless a detached command still uses them. */
export const removeLeftPlaceholders = (notes: string): void =>
  sweepPlaceholders(notes, (paths) => {
    const inUse = mountedAmong(paths);
    for (const path of paths) if (!inUse.has(path)) removeEmpty(path);
    return [...inUse];
  });

/** Returns the placeholder of this process at a path or above it. */
export const heldPlaceholder = (path: string): string | undefined =>
  [...ours.keys()].find((held) => isWithin(path, held));

/** Counts the commands of this process that use a placeholder which this process has made. */
const ours = new Map<string, number>();

function make(path: string, isDirectory: boolean): boolean {
  try {
    if (isDirectory) mkdirSync(path);
    else writeFileSync(path, "", { flag: "wx" });
    return true;
  } catch (error) {
    // Another command has made it in the meantime.
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Looks for mounts once for all paths: a look at every process of the machine takes longer than the removal. */
function release(paths: readonly string[]): void {
  const unused = paths.filter((path) => {
    const users = ours.get(path);
    if (users !== undefined) ours.set(path, users - 1);
    return users === 1;
  });
  // Removing a name takes away what others have mounted there: their command could then make a file of its own.
  const mounted = mountedAmong(unused);
  for (const path of unused.filter((each) => !mounted.has(each))) {
    ours.delete(path);
    removeEmpty(path);
  }
}

function removeEmpty(path: string): void {
  try {
    const stats = lstatSync(path);
    if (stats.isDirectory()) rmdirSync(path);
    else if (stats.isFile() && stats.size === 0) unlinkSync(path);
  } catch (error) {
    // A person has removed it, or has put something into it.
    if (!["ENOENT", "ENOTEMPTY", "ENOTDIR"].includes(errnoOf(error) ?? "")) throw error;
  }
}

/** Returns the paths at which something is mounted, in the namespaces of all processes that we can see, each once. */
export function mountedAmong(paths: readonly string[]): ReadonlySet<string> {
  const mounted = new Set<string>();
  const seen = new Set<string>();
  for (const pid of paths.length === 0 ? [] : processes()) {
    const namespace = readOf(() => readlinkSync(`/proc/${pid}/ns/mnt`));
    if (namespace === undefined || seen.has(namespace)) continue;
    // A process that has just ended shows nothing: another one of its namespace may.
    const mounts = readOf(() => readFileSync(`/proc/${pid}/mountinfo`, "utf8"));
    if (mounts) seen.add(namespace);
    for (const path of paths) if (mounts?.includes(` ${escapedPath(path)} `)) mounted.add(path);
  }
  return mounted;
}

const processes = (): readonly string[] => readdirSync("/proc").filter((name) => /^\d+$/.test(name));

function readOf(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    // It has ended, or belongs to another user, who cannot run a command of ours.
    return undefined;
  }
}
