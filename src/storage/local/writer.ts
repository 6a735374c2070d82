import { type BigIntStats, constants, lstatSync, mkdirSync, opendirSync, readlinkSync } from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { hasCode } from "../../base/errors.ts";
import { isHashed, versionOf, versionOfLink } from "../../base/version.ts";
import type { Durability, StorageWriter, Place, Snapshot } from "../writer.ts";
import type { Facts, SafePath } from "../storage.ts";
import { appendTo, truncateTo, rewriteWith, setMode, sync } from "./modify.ts";
import { copyNew, tryCopySmall } from "./copy.ts";
import { eraseTree, removeOne } from "./erase.ts";
import { isMissing } from "./errno.ts";
import { factsOf } from "./facts-of-stats.ts";
import { entriesIn, fingerprintOf } from "./fingerprint.ts";
import { bytesOf, withObjectIfPresent, requireRegularFile, withData, withObject } from "./jail/with-object.ts";
import type { Handle, Jail } from "./jail/jail.ts";
import { tryWithKernel } from "./jail/kernel.ts";
import { backUp, renameNew, renameOver } from "./move.ts";
import { createEntryResolver, type EntryRef } from "./entry-ref.ts";
import { type StagingContext, type Modes, writeNew } from "./stage.ts";
import { stageStreamed } from "./stage-streamed.ts";
import { createStores } from "./state/stores.ts";
import { treeBytes } from "./tree-bytes.ts";
import { createPictureDirectories } from "./pictures/picture-directories.ts";
import { createViewDirectories } from "./views/view-directories.ts";

export interface WriterOptions {
  /** Stores what is replaced or deleted. */
  readonly stateDirectory: string;
  readonly durability: Durability;
  /** Sets the permission bits of new objects, less the umask. */
  readonly modes?: Modes | undefined;
}

/** Creates the writer for a directory tree on this machine: every call acts through an open directory. */
export function createLocalWriter(
  jail: Jail,
  { stateDirectory, durability, modes = DEFAULT_MODES }: WriterOptions,
): StorageWriter {
  const stores = createStores(jail, stateDirectory);
  const context: StagingContext = { jail, entries: createEntryResolver(jail, stores), durability, modes };
  return {
    ...createProber(context),
    ...createStager(context),
    ...createMovers(context),
    ...createChangers(context),
    ...createRemovers(context),
    objectFor: stores.objectFor,
    views: createViewDirectories(context, stores),
    pictures: createPictureDirectories(context, stateDirectory),
  };
}

const DEFAULT_MODES: Modes = { file: 0o666, directory: 0o777 };

function createProber({
  jail,
  entries,
}: StagingContext): Pick<
  StorageWriter,
  "stat" | "snapshot" | "hasParent" | "isEmpty" | "fingerprint" | "treeBytes" | "entriesIn" | "contentOf"
> {
  const sizeOf = (ref: EntryRef): Promise<number> => treeBytes(jail, ref);
  const withObjectAt = <T>(place: Place, use: (handle: Handle) => T): T | null =>
    unlessMissing(() => entries.withEntry(place, (ref) => withObjectIfPresent(jail, ref, use)))?.result ?? null;
  // An lstat beforehand costs less than an exception where nothing is there, and less than an open where something is.
  const snapshotAt = (ref: EntryRef, place: Place): Snapshot | null => {
    const stats = statsOf(ref);
    if (!stats) return null;
    const seen = { fsPath: ref.fsPath, stats, parent: ref.parent };
    const facts = factsOf(stats, place as SafePath);
    return (
      linkAt(ref, facts) ??
      unlessSwapped(() => read(seen, facts)) ??
      withObjectIfPresent(jail, ref, (handle) => read(handle, factsOf(jail.stats(handle), place as SafePath)))
        ?.result ??
      null
    );
  };
  const read = (handle: Handle, facts: Facts): Snapshot => ({
    facts,
    version: versionOf(facts, isHashed(facts) ? bytesIfReadable(jail, handle) : undefined),
  });
  return {
    stat: (place) => unlessMissing(() => entries.withEntry(place, (ref) => factsAt(ref, place))) ?? null,
    snapshot: (place) => unlessMissing(() => entries.withEntry(place, (ref) => snapshotAt(ref, place))) ?? null,
    hasParent: (place) => unlessMissing(() => entries.withEntry(place, () => true)) ?? false,
    isEmpty: (path) => withObjectAt(path, (handle) => jail.stats(handle).isDirectory() && isEmpty(handle)) ?? true,
    fingerprint: (place, most) =>
      unlessMissing(() => entries.withEntry(place, (ref) => ({ name: fingerprintOf(jail, ref, most) })))?.name ?? null,
    treeBytes: (place) =>
      entries.withEntryAsync(place, sizeOf).catch((error: unknown) => {
        if (isNothingThere(error)) return 0;
        throw error;
      }),
    entriesIn: (place, most, isExcluded) =>
      unlessMissing(() => entries.withEntry(place, (ref) => entriesIn(jail, ref, most, isExcluded))) ?? null,
    contentOf: (place, from, most) =>
      withObjectAt(place, (handle) => (jail.stats(handle).isFile() ? bytesOf(jail, handle, from, most) : null)),
  };
}

/** Returns the stats of a name, a link not followed; undefined when nothing has it, or can. */
function statsOf({ fsPath }: EntryRef): BigIntStats | undefined {
  try {
    return lstatSync(fsPath, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns a link with a version made of its target; undefined for anything else. */
function linkAt({ fsPath }: EntryRef, facts: Facts): Snapshot | undefined {
  if (facts.kind !== "symlink") return undefined;
  return unlessSwapped(() => ({ facts, version: versionOfLink(readlinkSync(fsPath, "buffer")) }));
}

/** Returns undefined when, between lstat and open, another object took the name, or it was removed. */
function unlessSwapped<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (hasCode(error, "swapped") || SWAPPED.includes(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}

const SWAPPED = ["ENOENT", "ELOOP", "ENXIO", "EINVAL"];

function factsAt(ref: EntryRef, place: Place): Facts | null {
  const stats = statsOf(ref);
  return stats ? factsOf(stats, place as SafePath) : null;
}

/** Returns undefined for an unreadable file, which can still be moved and deleted. */
function bytesIfReadable(jail: Jail, handle: Handle): Buffer | undefined {
  try {
    return bytesOf(jail, handle);
  } catch (error) {
    if (errnoOf(error) === "EACCES") return undefined;
    throw error;
  }
}

/** Reads one entry, which is enough: there may be a million. */
function isEmpty({ fsPath }: Handle): boolean {
  const listing = opendirSync(fsPath);
  try {
    return listing.readSync() === null;
  } finally {
    listing.closeSync();
  }
}

/** Treats a missing parent directory like a missing entry. */
function unlessMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (isNothingThere(error)) return undefined;
    throw error;
  }
}

const isNothingThere = (error: unknown): boolean => hasCode(error, "not_found", "not_a_directory");

function createStager(context: StagingContext): Pick<StorageWriter, "stage"> {
  const { entries } = context;
  const syncIfDurable = createSync(context);
  return {
    async stage(place, content, staging) {
      if ("bytes" in content)
        return entries.withEntryToChange(place, (ref) => {
          writeNew(context, ref, content.bytes, staging);
          syncIfDurable(ref.parent);
        });
      if ("streamed" in content) {
        await stageStreamed(context, place, content.streamed, staging);
        return entries.withEntry(place, (ref) => syncIfDurable(ref.parent));
      }
      await staging.checkpoint?.();
      const isCopied = entries.withEntryToChange(place, (ref) => {
        const isDone = tryCopySmall(context, ref, content.copyOf, staging);
        if (isDone) syncIfDurable(ref.parent);
        return isDone;
      });
      if (isCopied) return;
      return entries.withEntryAsync(place, async (ref) => {
        await copyNew(context, ref, content.copyOf, staging);
        syncIfDurable(ref.parent);
      });
    },
  };
}

function createMovers(
  context: StagingContext,
): Pick<StorageWriter, "move" | "exchange" | "isSameDisk" | "isMounted" | "backUp" | "makeDirectory"> {
  const { jail, entries } = context;
  const syncIfDurable = createSync(context);
  // Invalidating the cache once covers both places: the position of each parent is checked again.
  const withBoth = <T>(from: Place, to: Place, act: (source: EntryRef, target: EntryRef) => T): T =>
    entries.withEntryToChange(from, (source) => entries.withEntry(to, (target) => act(source, target)));
  return {
    move: (from, to, how) =>
      withBoth(from, to, (source, target) => {
        if (how === "over") renameOver(context, source, target);
        else renameNew(source, target);
        syncIfDurable(target.parent);
        syncIfDurable(source.parent);
      }),
    exchange: (one, other) =>
      withBoth(one, other, (first, second) => {
        if (!tryWithKernel(({ exchange }) => exchange(first, second))) return "unsupported";
        syncIfDurable(first.parent);
        syncIfDurable(second.parent);
        return factsAt(first, one);
      }),
    isSameDisk: (from, to) =>
      entries.withEntry(from, (source) =>
        entries.withEntry(to, (target) => jail.isSameDisk(source.parent, target.parent)),
      ),
    isMounted: (path) =>
      entries.withEntry(path, (ref) => {
        const onOtherDisk = withObjectIfPresent(jail, ref, (handle) => !jail.isSameDisk(ref.parent, handle));
        return onOtherDisk?.result ?? false;
      }),
    backUp: (path, object) =>
      withBoth(path, object, (source, target) => {
        backUp(context, source, target);
        syncIfDurable(target.parent);
      }),
    makeDirectory: (path) =>
      entries.withEntryToChange(path, (ref) => {
        mkdirSync(ref.fsPath, context.modes.directory);
        syncIfDurable(ref.parent);
      }),
  };
}

const createSync = ({ durability }: StagingContext): ((handle: Handle) => void) =>
  durability === "power" ? sync : () => {};

function createChangers(context: StagingContext): Pick<StorageWriter, "setMode" | "append" | "rewrite" | "truncate"> {
  const { jail, entries } = context;
  const syncIfDurable = createSync(context);
  const changeObject = (path: SafePath, change: (handle: Handle, ref: EntryRef) => void): void =>
    entries.withEntryToChange(path, (ref) =>
      withObject(jail, ref, (handle) => {
        change(handle, ref);
        syncIfDurable(handle);
      }),
    );
  const changeData = (path: SafePath, flags: number, change: (fd: number, name: string) => void): void =>
    changeObject(path, (handle, ref) => {
      requireRegularFile(jail.stats(handle), ref);
      withData(jail, handle, constants.O_WRONLY | flags, (fd) => change(fd, ref.name));
    });
  return {
    setMode: (path, mode) => changeObject(path, (handle, ref) => setMode(jail, handle, ref, mode)),
    append: (path, bytes, size) => changeData(path, constants.O_APPEND, (fd, name) => appendTo(fd, bytes, size, name)),
    rewrite: (path, bytes) => changeData(path, 0, (fd) => rewriteWith(fd, bytes)),
    truncate: (path, size) => changeData(path, 0, (fd, name) => truncateTo(fd, size, name)),
  };
}

function createRemovers(context: StagingContext): Pick<StorageWriter, "remove" | "erase"> {
  const { jail, entries } = context;
  const syncIfDurable = createSync(context);
  const erase = (ref: EntryRef): Promise<void> => eraseTree(jail, ref).then(() => syncIfDurable(ref.parent));
  return {
    remove: (place) =>
      unlessMissing(() =>
        entries.withEntryToChange(place, ({ fsPath, parent }) => {
          removeOne(fsPath);
          syncIfDurable(parent);
        }),
      ),
    async erase(place) {
      try {
        await entries.withEntryAsync(place, erase);
      } catch (error) {
        if (!isNothingThere(error)) throw error;
      }
    },
  };
}
