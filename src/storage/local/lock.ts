import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isGone, SELF } from "./alive.ts";
import { errnoOf } from "./errno.ts";

/** Runs `work` while no other process does so under the same directory. `work` must not wait: it is over in one turn. */
export type Lock = <T>(work: () => T) => Promise<T>;

/**
 * A second name for a file that says who we are: taking the lock is one system call, and it is never there without its
 * owner. Whoever finds the owner gone breaks it.
 */
export function createLock(directory: string): Lock {
  const paths = { directory, lock: join(directory, "lock"), own: join(directory, `owner-${SELF}`) };
  return async function locked(work) {
    const deadline = Date.now() + LIMITS.lockWaitMs;
    for (let wait = 1; !take(paths); wait = Math.min(wait * 2, LIMITS.lockPauseMs)) {
      if (Date.now() > deadline) throw busy();
      breakIfGone(paths);
      await setTimeout(Math.random() * wait);
    }
    try {
      return work();
    } finally {
      unlinkSync(paths.lock);
    }
  };
}

interface Paths {
  readonly directory: string;
  readonly lock: string;
  readonly own: string;
}

function take(paths: Paths): boolean {
  try {
    linkSync(paths.own, paths.lock);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    if (errnoOf(error) !== "ENOENT") throw error;
    introduce(paths);
    return take(paths);
  }
}

/** Once for each process; those that are gone leave their file behind. */
function introduce({ directory, own }: Paths): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(directory)) {
    const found = name.startsWith("owner-") ? ownerOf(join(directory, name)) : undefined;
    if (found && isGone(found.owner, isLong(found.sinceMs))) removeQuietly(join(directory, name));
  }
  writeFileSync(own, SELF, { mode: 0o600 });
}

/**
 * Only one may remove the lock of a given owner: whoever creates the file named after that owner first, or the next one
 * should that process end half-way. The owner is gone for good, so what is still under its name cannot be taken anew.
 */
function breakIfGone({ directory, lock }: Paths): void {
  const found = ownerOf(lock);
  if (!found || !isGone(found.owner, isLong(found.sinceMs))) return;
  const claim = claimTo(directory, found.owner);
  if (claim === undefined) return;
  if (ownerOf(lock)?.owner === found.owner) unlinkSync(lock);
  removeQuietly(join(directory, `owner-${found.owner}`));
  for (let nth = 0; nth <= claim; nth++) removeQuietly(claimPath(directory, found.owner, nth));
}

function claimTo(directory: string, owner: string): number | undefined {
  for (let nth = 0; ; nth++) {
    try {
      writeFileSync(claimPath(directory, owner, nth), SELF, { flag: "wx", mode: 0o600 });
      return nth;
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
      const other = ownerOf(claimPath(directory, owner, nth));
      if (other && !isGone(other.owner, isLong(other.sinceMs))) return undefined;
    }
  }
}

/** What is done under the lock takes milliseconds. */
const isLong = (sinceMs: number): boolean => Date.now() - sinceMs > LIMITS.lockSilentMs;

const claimPath = (directory: string, owner: string, nth: number): string => join(directory, `break-${owner}-${nth}`);

/** A second name changes the inode: that is when the lock was taken. */
function ownerOf(file: string): { readonly owner: string; readonly sinceMs: number } | undefined {
  try {
    return { owner: readFileSync(file, "utf8"), sinceMs: statSync(file).ctimeMs };
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

const busy = (): Fault =>
  new Fault("busy", `Cannot change anything: another process has held the lock for ${LIMITS.lockWaitMs / 1000} s`);
