import { randomUUID } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { OWN_NAMES } from "../../base/product.ts";
import { copyFileNow } from "./copy.ts";
import { withObject } from "./jail/with-object.ts";
import { isSameInode } from "./jail/jail.ts";
import { tryWithKernel } from "./jail/kernel.ts";
import { type EntryRef, entryRefIn } from "./entry-ref.ts";
import type { StagingContext } from "./stage.ts";

/** Replaces one name by the other atomically; from another disk the file is copied beside it first. */
export function renameOver(context: StagingContext, from: EntryRef, to: EntryRef): void {
  try {
    renameSync(from.fsPath, to.fsPath);
  } catch (error) {
    if (errnoOf(error) !== "EXDEV") throw error;
    copyOver(context, from, to);
  }
  removeOtherLink(from, to);
}

function copyOver(context: StagingContext, from: EntryRef, to: EntryRef): void {
  const temporary = entryRefIn(to.parent, `${OWN_NAMES}${randomUUID()}`);
  withObject(context.jail, from, (handle) =>
    copyFileNow(context, handle, { from, to: temporary }, { keepTimes: true }),
  );
  try {
    renameSync(temporary.fsPath, to.fsPath);
  } catch (error) {
    unlinkSync(temporary.fsPath);
    throw error;
  }
  unlinkSync(from.fsPath);
}

/** Removes the old name where both names are links to one inode, because rename(2) then keeps both. */
function removeOtherLink(from: EntryRef, to: EntryRef): void {
  const left = lstatSync(from.fsPath, { bigint: true, throwIfNoEntry: false });
  if (!left || left.nlink === 1n) return;
  const there = lstatSync(to.fsPath, { bigint: true, throwIfNoEntry: false });
  if (there && isSameInode(left, there)) unlinkSync(from.fsPath);
}

/** Renames atomically, or links the new name before the old one is unlinked: whatever took the new name is not lost. */
export function renameNew(from: EntryRef, to: EntryRef): void {
  if (tryRenameWithKernel(from, to)) return;
  if (tryLink(from, to)) return unlinkSync(from.fsPath);
  // No system hard-links directories, so this is checked only after a link failed: nearly always it is a file.
  if (lstatSync(from.fsPath).isDirectory()) claimAndRename(from, to);
  else renameUnlessThere(from, to);
}

function tryRenameWithKernel(from: EntryRef, to: EntryRef): boolean {
  try {
    return tryWithKernel((kernel) => kernel.renameNew(from, to));
  } catch (error) {
    throw asNotFound(error, from);
  }
}

/** Names the source: both names are in open directories, so only the source can be missing. */
const asNotFound = (error: unknown, { name }: EntryRef): unknown =>
  errnoOf(error) === "ENOENT" ? new Fault("not_found", `Cannot find ${JSON.stringify(name)}: it is gone`) : error;

/** Claims the name with a new directory: only an empty one can be renamed over. */
function claimAndRename(from: EntryRef, to: EntryRef): void {
  mkdirSync(to.fsPath);
  try {
    renameSync(from.fsPath, to.fsPath);
  } catch (error) {
    rmdirSync(to.fsPath);
    throw error;
  }
}

/** Covers disks and files without hard links: something created between the check and the rename is lost. */
function renameUnlessThere(from: EntryRef, to: EntryRef): void {
  if (lstatSync(to.fsPath, { throwIfNoEntry: false }))
    throw new Fault("exists", "Cannot move: something is there already");
  renameSync(from.fsPath, to.fsPath);
}

function tryLink(from: EntryRef, to: EntryRef): boolean {
  try {
    linkSync(from.fsPath, to.fsPath);
    return true;
  } catch (error) {
    if (NO_HARD_LINKS.includes(errnoOf(error) ?? "")) return false;
    throw asNotFound(error, from);
  }
}

const NO_HARD_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS", "EXDEV", "EACCES"];

/** Backs up a file by a hard link. A file with other names may be changed through them: then it is copied. */
export function backUp(context: StagingContext, from: EntryRef, to: EntryRef): void {
  if (!tryHardLink(from, to))
    withObject(context.jail, from, (handle) => copyFileNow(context, handle, { from, to }, { keepTimes: true }));
}

/** Links whatever has the name, and unlinks it again when it is not a file, or had several names before. */
function tryHardLink(from: EntryRef, to: EntryRef): boolean {
  if (!tryLink(from, to)) return false;
  const linked = lstatSync(to.fsPath, { bigint: true });
  if (linked.isFile() && linked.nlink === 2n) return true;
  unlinkSync(to.fsPath);
  return false;
}
