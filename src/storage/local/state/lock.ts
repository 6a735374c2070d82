import { randomUUID } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, readdirSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { errnoOf } from "../../../base/errno.ts";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { hasProcessExited, OWN_PROCESS } from "./process-alive.ts";
import { ownFault, readOwnFile } from "./own-file.ts";

/** Runs `work` while no other process does so under the same directory. `work` must not wait: it is over in one turn. */
export type Lock = <T>(work: () => T) => Promise<T>;

/**
 * A second name for a file that says who we are: taking the lock is one system call, and it is never there without its
 * owner. Whoever finds the owner gone breaks it.
 */
export function createLock(directory: string): Lock {
  const paths = { directory, lock: join(directory, "lock"), own: join(directory, `owner-${OWN_PROCESS}`) };
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

interface Paths {
  readonly directory: string;
  readonly lock: string;
  readonly own: string;
}

/** What was done is done, whatever becomes of the lock: one that cannot be given back is so before it is taken again. */
function release({ lock }: Paths, sinceMs: number): boolean {
  try {
    // Whoever could not see us may have broken it by now, and it is another's.
    if (!isExpired(sinceMs) || ownerOf(lock)?.owner === OWN_PROCESS) removeQuietly(lock);
    return true;
  } catch {
    return false;
  }
}

/** False when the name is taken. */
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

/** Says who we are, all at once: another thread of ours must not link what says nothing yet. Those that are gone go. */
function writeOwnerFile({ directory, own }: Paths): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const fresh = join(directory, `new-${randomUUID()}`);
    writeFileSync(fresh, OWN_PROCESS, { mode: 0o600 });
    renameSync(fresh, own);
    for (const name of readdirSync(directory)) removeOwnerIfDead(directory, name);
  } catch (error) {
    throw ownFault(error, "locks");
  }
}

/** One that cannot be seen, and is not gone after all, introduces itself again. */
function removeOwnerIfDead(directory: string, name: string): void {
  const file = join(directory, name);
  // What is no file of ours hinders nobody here.
  const found =
    name.startsWith("owner-") && lstatSync(file, { throwIfNoEntry: false })?.isFile() ? ownerOf(file) : undefined;
  if (found && hasProcessExited(found.owner, isExpired(found.sinceMs))) removeQuietly(file);
}

/**
 * Only one may remove the lock of a given owner: whoever first links the name made of that owner, or the next one should
 * that process end half-way. The owner is gone for good, so what is still under its name cannot be taken anew.
 */
function breakIfOwnerDead(paths: Paths): void {
  const { directory, lock } = paths;
  const found = ownerOf(lock);
  if (!found || !hasProcessExited(found.owner, isExpired(found.sinceMs))) return;
  const claim = claimBreak(paths, found.owner);
  if (claim === undefined) return;
  if (ownerOf(lock)?.owner === found.owner) unlinkSync(lock);
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

/** What is done under the lock takes milliseconds. */
const isExpired = (sinceMs: number): boolean => Date.now() - sinceMs > LIMITS.lockSilentMs;

const claimPath = (directory: string, owner: string, nth: number): string => join(directory, `break-${owner}-${nth}`);

/** A second name changes the inode: that is when the lock was taken. */
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
