import { constants, copyFileSync, lchownSync, lutimesSync, mkdirSync, symlinkSync } from "node:fs";
import { copyFile, readdir } from "node:fs/promises";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Place, Staging } from "../writer.ts";
import type { ResolveStep } from "../resolve.ts";
import { eraseTree } from "./erase.ts";
import { asFault } from "./errno.ts";
import { bytesOf, ifThere, requireRegularFile, withData, withObject } from "./jail/held-object.ts";
import { type Handle, isSameInode } from "./jail/jail.ts";
import { type EntryRef, entryRefIn } from "./entry-ref.ts";
import { type StagingContext, finish, isDone, orRemove, timesOf, writeNew } from "./stage.ts";

/** Copies something whole to a free name. Whatever goes wrong, nothing of ours is under that name afterwards. */
export async function copyNew(bench: StagingContext, spot: EntryRef, copied: Place, staging: Staging): Promise<void> {
  await bench.places.during(copied, async (source) => {
    try {
      await copyEntry(bench, source, spot, staging);
    } catch (error) {
      throw ofTheNew(error, spot);
    }
  });
}

/** The same for a file that is copied sooner than anything could be waited for. False for everything else. */
export function isSmallCopied(bench: StagingContext, spot: EntryRef, copied: Place, staging: Staging): boolean {
  const { jail, places } = bench;
  const copy = (held: Handle, { at }: EntryRef): boolean => {
    const stats = jail.stats(held);
    if (!stats.isFile() || stats.size > LIMITS.smallCopyBytes) return false;
    const bytes = bytesOf(jail, held);
    try {
      writeNew(bench, spot, bytes, staging, { stats, at });
    } catch (error) {
      throw ofTheNew(error, spot);
    }
    return true;
  };
  return places.using(copied, (source) => ifThere(jail, source, (held) => copy(held, source))?.result ?? false);
}

const ofTheNew = (error: unknown, { name }: EntryRef): unknown =>
  OF_THE_NEW.includes(errnoOf(error) ?? "") ? asFault(error, name, "change") : error;

/** Of the two sides of a copy, only the new one can fail so; the message should not name the other. */
const OF_THE_NEW = ["EEXIST", "ENOSPC", "EDQUOT", "EROFS", "EFBIG", "ENAMETOOLONG"];

/** Copies what a spot holds, link by link, never through one; a tree entry by entry, each in a held directory. */
async function copyEntry(bench: StagingContext, from: EntryRef, to: EntryRef, staging: Staging): Promise<void> {
  await staging.checkpoint?.();
  const { step, close } = bench.jail.steps;
  const met = step(from.parent, from.name, true);
  if (met.kind === "missing") throw new Fault("not_found", `Cannot copy ${JSON.stringify(from.name)}: it is gone`);
  try {
    if (met.kind === "link") copyLink(bench, met, to, staging);
    else if (met.kind === "directory") await copyDirectory(bench, met.handle, to, staging);
    else await copyData(bench, met.handle, { from, to }, staging);
  } finally {
    close(met.handle);
  }
}

type Link = Extract<ResolveStep<Handle>, { kind: "link" }>;

function copyLink({ jail }: StagingContext, { target, handle }: Link, to: EntryRef, { keepTimes }: Staging): void {
  const stats = jail.stats(handle);
  symlinkSync(target, to.at);
  orRemove(to, () => {
    isDone(() => lchownSync(to.at, Number(stats.uid), Number(stats.gid)));
    if (keepTimes) lutimesSync(to.at, ...timesOf(stats));
  });
}

/** Open to us while it is filled, whatever it will be in the end. What is inside keeps its own mode and owner. */
async function copyDirectory(bench: StagingContext, from: Handle, to: EntryRef, staging: Staging): Promise<void> {
  const { jail, copy } = bench;
  const { keepTimes, checkpoint } = staging;
  if (copy && isSameInode(jail.stats(from), copy))
    throw new Fault("invalid_input", `Cannot copy to ${JSON.stringify(to.name)}: a directory cannot hold its own copy`);
  mkdirSync(to.at, 0o700);
  try {
    const made = jail.hold(to.at);
    const inner: StagingContext = { ...bench, copy: copy ?? jail.stats(made) };
    try {
      for (const name of (await readdir(from.reach, { encoding: "buffer" })).map(wellFormed))
        await copyEntry(inner, entryRefIn(from, name), entryRefIn(made, name), { keepTimes, checkpoint });
      const model = { stats: jail.stats(from), at: `${from.reach}/.` };
      withData(jail, made, undefined, (fd) => finish(bench, fd, model, staging));
    } finally {
      jail.steps.close(made);
    }
  } catch (error) {
    await eraseTree(jail, to).catch(() => {});
    throw error;
  }
}

function wellFormed(name: Buffer): string {
  const text = name.toString("utf8");
  if (Buffer.from(text).equals(name)) return text;
  throw new Fault("invalid_input", `Cannot copy ${JSON.stringify(text)}: its name is not valid UTF-8`);
}

/** Shares the blocks where the disk can. A FIFO, socket or device is refused before it is opened. */
async function copyData(bench: StagingContext, held: Handle, sides: Sides, staging: Staging): Promise<void> {
  // A trip through the thread pool takes longer than copying that little.
  if (bench.jail.stats(held).size <= LIMITS.syncBytes) return copyNow(bench, held, sides, staging);
  if (isCopiedByHand(bench, held, sides, staging)) return;
  await copyFile(held.reach, sides.to.at, COPY);
  finishCopy(bench, held, sides, staging);
}

/** The same for a file, all at once. */
export function copyNow(bench: StagingContext, held: Handle, sides: Sides, staging: Staging): void {
  if (isCopiedByHand(bench, held, sides, staging)) return;
  copyFileSync(held.reach, sides.to.at, COPY);
  finishCopy(bench, held, sides, staging);
}

interface Sides {
  readonly from: EntryRef;
  readonly to: EntryRef;
}

const COPY = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/** The system's copy has all bits from the start: of somebody else's setuid program it would make one of ours. */
function isCopiedByHand(bench: StagingContext, held: Handle, { from, to }: Sides, staging: Staging): boolean {
  const stats = bench.jail.stats(held);
  requireRegularFile(stats, from);
  if ((stats.mode & 0o6000n) === 0n) return false;
  writeNew(bench, to, bytesOf(bench.jail, held), staging, { stats, at: from.at });
  return true;
}

/** The system copies by name: whoever put something else there must not have it changed by us. */
function finishCopy(bench: StagingContext, held: Handle, { from, to }: Sides, staging: Staging): void {
  const { jail } = bench;
  orRemove(to, () => {
    jail.confirm(held);
    withObject(jail, to, (made) => {
      requireRegularFile(jail.stats(made), to);
      if (jail.stats(made).nlink > 1n)
        throw new Fault("swapped", `Cannot copy to ${JSON.stringify(to.name)}: something took its place`);
      withData(jail, made, undefined, (fd) => finish(bench, fd, { stats: jail.stats(held), at: from.at }, staging));
    });
  });
}
