import { chmodSync, lstatSync, rmdirSync, unlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { type Checkpoint, createCheckpoint } from "../../base/time-slicing.ts";
import { type Handle, type Jail, rawEntry } from "./jail/jail.ts";
import type { EntryRef } from "./entry-ref.ts";

/** Removes an entry, a tree entry by entry through open directories. Names are taken byte for byte. */
export const eraseTree = (jail: Jail, { fsPath }: EntryRef): Promise<void> => eraseAt(jail, Buffer.from(fsPath));

/** Does the same for a path whose names need not be UTF-8. */
export const eraseAt = (jail: Jail, at: Buffer): Promise<void> =>
  eraseEntry(jail, at, createCheckpoint({ aborted: false }));

/** Removes a file, a link or an empty directory; nothing there is fine. */
export function removeOne(at: string | Buffer): void {
  try {
    if (!unlinkUnlessDirectory(at)) rmdirSync(at);
  } catch (error) {
    if (isThere(at)) throw error;
  }
}

async function eraseEntry(jail: Jail, at: Buffer, checkpoint: Checkpoint): Promise<void> {
  await checkpoint();
  try {
    if (!unlinkUnlessDirectory(at)) await eraseDirectory(jail, at, checkpoint);
  } catch (error) {
    if (isThere(at)) throw error;
  }
}

/** Checks whether the entry exists, because on a read-only disk the system reports EROFS even for a missing one. */
const isThere = (at: string | Buffer): boolean => lstatSync(at, { throwIfNoEntry: false }) !== undefined;

/** Returns false for a directory. Some systems report one as EISDIR, others only as EPERM. */
function unlinkUnlessDirectory(at: string | Buffer): boolean {
  try {
    unlinkSync(at);
    return true;
  } catch (error) {
    const isDirectory = () => lstatSync(at, { throwIfNoEntry: false })?.isDirectory();
    if (errnoOf(error) === "EISDIR" || (errnoOf(error) === "EPERM" && isDirectory())) return false;
    throw error;
  }
}

async function eraseDirectory(jail: Jail, at: Buffer, checkpoint: Checkpoint): Promise<void> {
  const handle = openDirectoryToErase(jail, at);
  try {
    makeAccessible(jail, handle);
    const names = await readdir(handle.rawPath ?? handle.fsPath, { encoding: "buffer" });
    for (const name of names) await eraseEntry(jail, rawEntry(handle, name), checkpoint);
  } finally {
    jail.steps.close(handle);
  }
  rmdirSync(at);
}

/** Refuses what was a directory a moment ago and has been replaced by somebody else. */
function openDirectoryToErase(jail: Jail, at: Buffer): Handle {
  try {
    return jail.openDirectory(at);
  } catch (error) {
    if (errnoOf(error) !== "ENOTDIR") throw error;
    throw new Fault("swapped", "Cannot erase a directory: something took its place", {}, error);
  }
}

/** Opens the permissions of our own directory: otherwise it, and all above it, would stay forever. */
function makeAccessible(jail: Jail, handle: Handle): void {
  if ((jail.stats(handle).mode & 0o700n) === 0o700n) return;
  try {
    chmodSync(handle.rawPath ?? handle.fsPath, 0o700);
  } catch (error) {
    if (!["EPERM", "EROFS"].includes(errnoOf(error) ?? "")) throw error;
  }
}
