import { randomUUID } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, readdirSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { errnoOf } from "../../../base/errno.ts";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { hasProcessExited, OWN_PROCESS } from "../../../base/process-identity.ts";
import { ownFault, readOwnFile } from "./own-file.ts";

/** Runs `work` while no other process does so under the same directory. `work` must not wait: it ends in one turn. */
export type Lock = <T>(work: () => T) => Promise<T>;

/**
 * Creates a lock that is a hard link to a file which names its owner: taking it is one system call, and it never exists
 * without its owner. A process that finds the owner dead breaks it.
 */
export function createLock(directory: string, hooks: LockHooks = {}): Lock {
  const paths = { ...hooks, directory, lock: join(directory, "lock"), own: join(directory, `owner-${OWN_PROCESS}`) };
  let isStuck = false;
  return async function locked(work) {
    const deadline = Date.now() + LIMITS.lockWaitMs;
    for (let wait = 1; ; wait = Math.min(wait * 2, LIMITS.lockPauseMs)) {
      if (isStuck) isStuck = !release(paths, LONG_AGO);
      if (tryLink(paths, paths.lock)) break;
      if (Date.now() > deadline) throw busyFault();
      breakIfOwnerDead(paths);
      await setTimeout(Math.random() * wait);
    }
    const sinceMs = Date.now();
    try {
      return work();
    } finally {
      isStuck = !release(paths, sinceMs);
    }
  };
}

const LONG_AGO = 0;

export interface LockHooks {
  /** Is called before a process uses the lock for the first time. */
  readonly beforeFirst?: () => void;
  /** Is called with the owner of a lock that is about to be broken. */
  readonly beforeBreak?: (owner: string) => void;
}

interface Paths extends LockHooks {
  readonly directory: string;
  readonly lock: string;
  readonly own: string;
}

/**
 * Gives the lock back without failing, because the work is done. A lock that cannot be removed is removed before the
 * next attempt to take it.
 */
function release({ lock }: Paths, sinceMs: number): boolean {
  try {
    // A process that could not see us may have broken it by now, and it belongs to another.
    if (!isExpired(sinceMs) || ownerOf(lock)?.owner === OWN_PROCESS) removeQuietly(lock);
    return true;
  } catch {
    return false;
  }
}

/** Returns false when the name is taken. */
function tryLink(paths: Paths, name: string): boolean {
  try {
    linkSync(paths.own, name);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    if (errnoOf(error) !== "ENOENT") throw ownFault(error, "locks");
    writeOwnerFile(paths);
    return tryLink(paths, name);
  }
}

/**
 * Writes the owner file atomically: another thread of ours must not link an empty one. Removes those of dead processes.
 */
function writeOwnerFile({ directory, own, beforeFirst }: Paths): void {
  try {
    beforeFirst?.();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const fresh = join(directory, `${NEW}${randomUUID()}`);
    writeFileSync(fresh, OWN_PROCESS, { mode: 0o600 });
    renameSync(fresh, own);
    for (const name of readdirSync(directory)) removeIfDead(directory, name);
  } catch (error) {
    throw ownFault(error, "locks");
  }
}

/** Begins the name of an owner file that is being written. */
const NEW = "new-";

/**
 * Removes the owner file of a dead process, and one that it had only begun to write. A process that only could not be
 * seen writes its file again.
 */
function removeIfDead(directory: string, name: string): void {
  const file = join(directory, name);
  // Anything but a file of ours is skipped: it does no harm here.
  const isOurs = name.startsWith("owner-") || name.startsWith(NEW);
  const found = isOurs && lstatSync(file, { throwIfNoEntry: false })?.isFile() ? ownerOf(file) : undefined;
  // A process that was killed at once may have left an empty file.
  if (found && name.startsWith(NEW) && !isExpired(found.sinceMs)) return;
  if (found && hasProcessExited(found.owner, isExpired(found.sinceMs))) removeQuietly(file);
}

/**
 * Breaks the lock of a dead owner. Only one process may remove it: the first that links a name made of that owner, or
 * the next one if that process dies half-way. The owner is dead for good, so a lock in its name cannot be taken anew.
 */
function breakIfOwnerDead(paths: Paths): void {
  const { directory, lock } = paths;
  const found = ownerOf(lock);
  if (!found || !hasProcessExited(found.owner, isExpired(found.sinceMs))) return;
  const claim = claimBreak(paths, found.owner);
  if (claim === undefined) return;
  if (ownerOf(lock)?.owner === found.owner) {
    paths.beforeBreak?.(found.owner);
    unlinkSync(lock);
  }
  removeQuietly(join(directory, `owner-${found.owner}`));
  for (let nth = 0; nth <= claim; nth++) removeQuietly(claimPath(directory, found.owner, nth));
}

function claimBreak(paths: Paths, owner: string): number | undefined {
  for (let nth = 0; ; nth++) {
    const claim = claimPath(paths.directory, owner, nth);
    if (tryLink(paths, claim)) return nth;
    const other = ownerOf(claim);
    if (other && !hasProcessExited(other.owner, isExpired(other.sinceMs))) return undefined;
  }
}

/** Allows for seconds, while work under the lock takes milliseconds. */
const isExpired = (sinceMs: number): boolean => Date.now() - sinceMs > LIMITS.lockSilentMs;

const claimPath = (directory: string, owner: string, nth: number): string => join(directory, `break-${owner}-${nth}`);

/** Reads the owner and the time of a lock: linking changes the ctime of the inode, so that is when it was taken. */
function ownerOf(file: string): { readonly owner: string; readonly sinceMs: number } | undefined {
  try {
    return { owner: readOwnFile(file), sinceMs: statSync(file).ctimeMs };
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw ownFault(error, file);
  }
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

const busyFault = (): Fault =>
  new Fault("busy", `Cannot change anything: another process has held the lock for ${LIMITS.lockWaitMs / 1000} s`);
