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

/** A file or a directory that is made in a writable root for the time of a command, so that nothing else can be. */
export interface Placeholder {
  readonly kind: "placeholder";
  readonly path: string;
  readonly isDirectory: boolean;
}

/**
 * Makes the placeholders of a command: empty files and directories at names that must not be taken, such as hooks of a
 * repository. Returns a function that removes those that no other command uses any more.
 */
export function makePlaceholders(held: readonly Placeholder[]): () => void {
  for (const { path, isDirectory } of held) {
    if (make(path, isDirectory)) ours.set(path, 0);
    const users = ours.get(path);
    if (users !== undefined) ours.set(path, users + 1);
  }
  return () => held.forEach(({ path }) => release(path));
}

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

function release(path: string): void {
  const users = ours.get(path);
  if (users === undefined) return;
  ours.set(path, users - 1);
  // Removing a name takes away what others have mounted there: their command could then make a file of its own.
  if (users > 1 || isMountedAnywhere(path)) return;
  ours.delete(path);
  removeEmpty(path);
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

/** Looks for a mount at a path in the mount namespaces of all processes that we can see. */
export function isMountedAnywhere(path: string): boolean {
  const namespaces = new Map(processes().map((pid) => [readOf(() => readlinkSync(`/proc/${pid}/ns/mnt`)), pid]));
  return [...namespaces.values()].some((pid) =>
    readOf(() => readFileSync(`/proc/${pid}/mountinfo`, "utf8"))?.includes(` ${escapedPath(path)} `),
  );
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
