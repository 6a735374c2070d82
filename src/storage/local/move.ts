import { randomUUID } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { OWN_NAMES } from "../../base/product.ts";
import { copyNow } from "./copy.ts";
import { withObject } from "./jail/held-object.ts";
import { isSameInode } from "./jail/jail.ts";
import { isDoneBy } from "./jail/kernel.ts";
import { type EntryRef, entryRefIn } from "./entry-ref.ts";
import type { StagingContext } from "./stage.ts";

/** One name is replaced by the other in one instant; from another disk it is copied beside it first. */
export function renameOver(bench: StagingContext, from: EntryRef, to: EntryRef): void {
  try {
    renameSync(from.at, to.at);
  } catch (error) {
    if (errnoOf(error) !== "EXDEV") throw error;
    copyOver(bench, from, to);
  }
  removeTwin(from, to);
}

function copyOver(bench: StagingContext, from: EntryRef, to: EntryRef): void {
  const beside = entryRefIn(to.parent, `${OWN_NAMES}${randomUUID()}`);
  withObject(bench.jail, from, (held) => copyNow(bench, held, { from, to: beside }, { keepTimes: true }));
  try {
    renameSync(beside.at, to.at);
  } catch (error) {
    unlinkSync(beside.at);
    throw error;
  }
  unlinkSync(from.at);
}

/** Where both names are of one file, the system leaves both. */
function removeTwin(from: EntryRef, to: EntryRef): void {
  const left = lstatSync(from.at, { bigint: true, throwIfNoEntry: false });
  if (!left || left.nlink === 1n) return;
  const there = lstatSync(to.at, { bigint: true, throwIfNoEntry: false });
  if (there && isSameInode(left, there)) unlinkSync(from.at);
}

/** In one instant, or a second name first before the old one goes: nothing that took the new name meanwhile is lost. */
export function renameNew(from: EntryRef, to: EntryRef): void {
  if (isRenamed(from, to)) return;
  if (tryLink(from, to)) return unlinkSync(from.at);
  // No system gives a directory a second name: nearly always it is a file, and need not be asked.
  if (lstatSync(from.at).isDirectory()) claimAndRename(from, to);
  else renameUnlessThere(from, to);
}

function isRenamed(from: EntryRef, to: EntryRef): boolean {
  try {
    return isDoneBy((kernel) => kernel.renameNew(from, to));
  } catch (error) {
    throw orGone(error, from);
  }
}

/** Both names are in directories that are held: what is missing can only be the first. */
const orGone = (error: unknown, { name }: EntryRef): unknown =>
  errnoOf(error) === "ENOENT" ? new Fault("not_found", `Cannot find ${JSON.stringify(name)}: it is gone`) : error;

/** A new directory claims the name, and only an empty one can be renamed over. */
function claimAndRename(from: EntryRef, to: EntryRef): void {
  mkdirSync(to.at);
  try {
    renameSync(from.at, to.at);
  } catch (error) {
    rmdirSync(to.at);
    throw error;
  }
}

/** For disks and files that take no second name: what comes between the look and the rename is lost. */
function renameUnlessThere(from: EntryRef, to: EntryRef): void {
  if (lstatSync(to.at, { throwIfNoEntry: false })) throw new Fault("exists", "Cannot move: something is there already");
  renameSync(from.at, to.at);
}

function tryLink(from: EntryRef, to: EntryRef): boolean {
  try {
    linkSync(from.at, to.at);
    return true;
  } catch (error) {
    if (HAS_NO_LINKS.includes(errnoOf(error) ?? "")) return false;
    throw orGone(error, from);
  }
}

const HAS_NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS", "EXDEV", "EACCES"];

/** A file with other names may still be changed through them: then only a copy stays what it is. */
export function backUp(bench: StagingContext, from: EntryRef, to: EntryRef): void {
  if (!isLinked(from, to))
    withObject(bench.jail, from, (held) => copyNow(bench, held, { from, to }, { keepTimes: true }));
}

/** Whatever has the name gets a second one: what is no file, or had several names before, is let go again. */
function isLinked(from: EntryRef, to: EntryRef): boolean {
  if (!tryLink(from, to)) return false;
  const linked = lstatSync(to.at, { bigint: true });
  if (linked.isFile() && linked.nlink === 2n) return true;
  unlinkSync(to.at);
  return false;
}
