import { constants, copyFileSync, lchownSync, lutimesSync, mkdirSync, symlinkSync } from "node:fs";
import { copyFile, readdir } from "node:fs/promises";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Place, Staging } from "../writer.ts";
import type { ResolveStep } from "../resolve.ts";
import { eraseTree } from "./erase.ts";
import { asFault } from "./errno.ts";
import { bytesOf, withObjectIfPresent, requireRegularFile, withData, withObject } from "./jail/with-object.ts";
import { type Handle, isSameInode } from "./jail/jail.ts";
import { type EntryRef, entryRefIn } from "./entry-ref.ts";
import { type StagingContext, applyMetadata, attempt, removeOnFailure, timesOf, writeNew } from "./stage.ts";

/** Copies something whole to a free name. Whatever goes wrong, nothing of ours is under that name afterwards. */
export async function copyNew(
  context: StagingContext,
  ref: EntryRef,
  sourcePlace: Place,
  staging: Staging,
): Promise<void> {
  await context.entries.withEntryAsync(sourcePlace, async (source) => {
    try {
      await copyEntry(context, source, ref, staging);
    } catch (error) {
      throw asTargetFault(error, ref);
    }
  });
}

/** Copies a small file synchronously, which is faster than any wait. Returns false for everything else. */
export function tryCopySmall(context: StagingContext, ref: EntryRef, sourcePlace: Place, staging: Staging): boolean {
  const { jail, entries } = context;
  const copy = (handle: Handle, { fsPath }: EntryRef): boolean => {
    const stats = jail.stats(handle);
    if (!stats.isFile() || stats.size > LIMITS.smallCopyBytes) return false;
    const bytes = bytesOf(jail, handle);
    try {
      writeNew(context, ref, bytes, staging, { stats, fsPath });
    } catch (error) {
      throw asTargetFault(error, ref);
    }
    return true;
  };
  return entries.withEntry(
    sourcePlace,
    (source) => withObjectIfPresent(jail, source, (handle) => copy(handle, source))?.result ?? false,
  );
}

const asTargetFault = (error: unknown, { name }: EntryRef): unknown =>
  TARGET_ERRNOS.includes(errnoOf(error) ?? "") ? asFault(error, name, "change") : error;

/** Lists the errors that only the target of a copy can cause; the message then does not name the source. */
const TARGET_ERRNOS = ["EEXIST", "ENOSPC", "EDQUOT", "EROFS", "EFBIG", "ENAMETOOLONG"];

/** Copies an entry, links as links; a tree entry by entry, each in an open directory. */
async function copyEntry(context: StagingContext, from: EntryRef, to: EntryRef, staging: Staging): Promise<void> {
  await staging.checkpoint?.();
  const { step, close } = context.jail.steps;
  const found = step(from.parent, from.name, true);
  if (found.kind === "missing") throw new Fault("not_found", `Cannot copy ${JSON.stringify(from.name)}: it is gone`);
  try {
    if (found.kind === "link") copyLink(context, found, to, staging);
    else if (found.kind === "directory") await copyDirectory(context, found.handle, to, staging);
    else await copyData(context, found.handle, { from, to }, staging);
  } finally {
    close(found.handle);
  }
}

type Link = Extract<ResolveStep<Handle>, { kind: "link" }>;

function copyLink({ jail }: StagingContext, { target, handle }: Link, to: EntryRef, { keepTimes }: Staging): void {
  const stats = jail.stats(handle);
  symlinkSync(target, to.fsPath);
  removeOnFailure(to, () => {
    attempt(() => lchownSync(to.fsPath, Number(stats.uid), Number(stats.gid)));
    if (keepTimes) lutimesSync(to.fsPath, ...timesOf(stats));
  });
}

/**
 * Creates a directory with mode 0700 while it is filled, whatever its final mode. Entries keep their own mode and
 * owner.
 */
async function copyDirectory(context: StagingContext, from: Handle, to: EntryRef, staging: Staging): Promise<void> {
  const { jail, copy } = context;
  const { keepTimes, checkpoint } = staging;
  if (copy && isSameInode(jail.stats(from), copy))
    throw new Fault("invalid_input", `Cannot copy to ${JSON.stringify(to.name)}: a directory cannot hold its own copy`);
  mkdirSync(to.fsPath, 0o700);
  try {
    const newHandle = jail.openDirectory(to.fsPath);
    const inner: StagingContext = { ...context, copy: copy ?? jail.stats(newHandle) };
    try {
      for (const name of (await readdir(from.fsPath, { encoding: "buffer" })).map(wellFormed))
        await copyEntry(inner, entryRefIn(from, name), entryRefIn(newHandle, name), { keepTimes, checkpoint });
      const model = { stats: jail.stats(from), fsPath: `${from.fsPath}/.` };
      withData(jail, newHandle, undefined, (fd) => applyMetadata(context, fd, model, staging));
    } finally {
      jail.steps.close(newHandle);
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

/** Shares blocks (reflink) where the disk can. A FIFO, socket or device is refused before it is opened. */
async function copyData(context: StagingContext, handle: Handle, pair: CopyPair, staging: Staging): Promise<void> {
  // A trip through the thread pool takes longer than copying that little.
  if (context.jail.stats(handle).size <= LIMITS.syncBytes) return copyFileNow(context, handle, pair, staging);
  if (tryCopyThroughMemory(context, handle, pair, staging)) return;
  await copyFile(handle.fsPath, pair.to.fsPath, COPY);
  finishCopy(context, handle, pair, staging);
}

/** Copies a file synchronously. */
export function copyFileNow(context: StagingContext, handle: Handle, pair: CopyPair, staging: Staging): void {
  if (tryCopyThroughMemory(context, handle, pair, staging)) return;
  copyFileSync(handle.fsPath, pair.to.fsPath, COPY);
  finishCopy(context, handle, pair, staging);
}

interface CopyPair {
  readonly from: EntryRef;
  readonly to: EntryRef;
}

const COPY = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/**
 * Copies setuid and setgid files through memory: the system's copy has all mode bits from the start, and would turn
 * another user's setuid program into one of ours.
 */
function tryCopyThroughMemory(
  context: StagingContext,
  handle: Handle,
  { from, to }: CopyPair,
  staging: Staging,
): boolean {
  const stats = context.jail.stats(handle);
  requireRegularFile(stats, from);
  if ((stats.mode & 0o6000n) === 0n) return false;
  writeNew(context, to, bytesOf(context.jail, handle), staging, { stats, fsPath: from.fsPath });
  return true;
}

/**
 * Checks the copy before it is changed: the system copies by name, and another process may have put something else
 * there.
 */
function finishCopy(context: StagingContext, handle: Handle, { from, to }: CopyPair, staging: Staging): void {
  const { jail } = context;
  removeOnFailure(to, () => {
    jail.confirm(handle);
    withObject(jail, to, (newHandle) => {
      requireRegularFile(jail.stats(newHandle), to);
      if (jail.stats(newHandle).nlink > 1n)
        throw new Fault("swapped", `Cannot copy to ${JSON.stringify(to.name)}: something took its place`);
      withData(jail, newHandle, undefined, (fd) =>
        applyMetadata(context, fd, { stats: jail.stats(handle), fsPath: from.fsPath }, staging),
      );
    });
  });
}
