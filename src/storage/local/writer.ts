import { type BigIntStats, constants, lstatSync, mkdirSync, opendirSync, readlinkSync } from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { hasCode } from "../../base/errors.ts";
import { isHashed, versionOf, versionOfLink } from "../../base/version.ts";
import type { Durability, StorageWriter, Place, Snapshot } from "../writer.ts";
import type { Facts, SafePath } from "../storage.ts";
import { appendTo, cutTo, rewriteWith, setMode, sync } from "./change.ts";
import { copyNew, isSmallCopied } from "./copy.ts";
import { eraseTree, removeOne } from "./erase.ts";
import { isMissing } from "./errno.ts";
import { factsOf } from "./facts.ts";
import { entriesIn, fingerprintOf } from "./fingerprint.ts";
import { bytesOf, ifThere, requireRegularFile, withData, withObject } from "./jail/held-object.ts";
import type { Handle, Jail } from "./jail/jail.ts";
import { isDoneBy } from "./jail/kernel.ts";
import { backUp, renameNew, renameOver } from "./move.ts";
import { createEntryResolver, type EntryRef } from "./entry-ref.ts";
import { createVersionCache } from "./version-cache.ts";
import { type StagingContext, type Modes, writeNew } from "./stage.ts";
import { createStores } from "./state/stores.ts";
import { treeBytes } from "./tree-bytes.ts";

/** How things are changed. */
export interface WriterOptions {
  /** Where to keep what is replaced or deleted. */
  readonly stateDirectory: string;
  readonly durability: Durability;
  /** Permission bits of what is new, less the umask. */
  readonly modes?: Modes | undefined;
}

/** The hands of a directory tree on this machine: every call acts through a directory that is held. */
export function createLocalWriter(
  jail: Jail,
  { stateDirectory, durability, modes = USUAL }: WriterOptions,
): StorageWriter {
  const stores = createStores(jail, stateDirectory);
  const bench: StagingContext = { jail, places: createEntryResolver(jail, stores), durability, modes };
  return { ...prober(bench), ...movers(bench), ...changers(bench), ...removers(bench), objectFor: stores.objectFor };
}

const USUAL: Modes = { file: 0o666, directory: 0o777 };

function prober({
  jail,
  places,
}: StagingContext): Pick<
  StorageWriter,
  "look" | "see" | "holds" | "isEmpty" | "fingerprint" | "treeBytes" | "entriesIn" | "contentOf"
> {
  const measured = (spot: EntryRef): Promise<number> => treeBytes(jail, spot);
  const looking = <T>(place: Place, use: (held: Handle) => T): T | null =>
    unlessMissing(() => places.using(place, (spot) => ifThere(jail, spot, use)))?.result ?? null;
  const versions = createVersionCache();
  // A look beforehand costs less than an exception where there is nothing, and less than a hold where there is something.
  const seen = (spot: EntryRef, place: Place): Snapshot | null => {
    const stats = statsOf(spot);
    if (!stats) return null;
    const met = { reach: spot.at, stats, above: spot.parent };
    return (
      linkAt(spot, stats, place) ??
      versions.recall(factsOf(stats, place as SafePath)) ??
      unlessSwapped(() => read(met, place)) ??
      ifThere(jail, spot, (held) => read(held, place))?.result ??
      null
    );
  };
  const read = (held: Handle, place: Place): Snapshot => {
    const snapshot = sightingOf(jail, held, place);
    if (isHashed(snapshot.facts)) versions.note(snapshot);
    return snapshot;
  };
  return {
    look: (place) => unlessMissing(() => places.using(place, (spot) => factsAt(statsOf(spot), place))) ?? null,
    see: (place) => unlessMissing(() => places.using(place, (spot) => seen(spot, place))) ?? null,
    holds: (path) => unlessMissing(() => places.using(path, () => true)) ?? false,
    isEmpty: (path) => looking(path, (held) => jail.stats(held).isDirectory() && isEmpty(held)) ?? true,
    fingerprint: (place, most) =>
      unlessMissing(() => places.using(place, (spot) => ({ name: fingerprintOf(jail, spot, most) })))?.name ?? null,
    treeBytes: (place) => places.during(place, measured),
    entriesIn: (place, most, isLeftOut) =>
      unlessMissing(() => places.using(place, (spot) => entriesIn(jail, spot, most, isLeftOut))) ?? null,
    contentOf: (place, from, most) =>
      looking(place, (held) => (jail.stats(held).isFile() ? bytesOf(jail, held, from, most) : null)),
  };
}

/** What has a name, a link not followed; undefined when nothing has, or can. */
function statsOf({ at }: EntryRef): BigIntStats | undefined {
  try {
    return lstatSync(at, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A link, by its target; undefined for anything else. */
function linkAt({ at }: EntryRef, stats: BigIntStats, place: Place): Snapshot | undefined {
  if (!stats.isSymbolicLink()) return undefined;
  return unlessSwapped(() => ({
    facts: factsOf(stats, place as SafePath),
    version: versionOfLink(readlinkSync(at, "buffer")),
  }));
}

/** Between a look and the open another thing may have taken the name, or nothing has it any more. */
function unlessSwapped<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (hasCode(error, "swapped") || SWAPPED.includes(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}

const SWAPPED = ["ENOENT", "ELOOP", "ENXIO", "EINVAL"];

const factsAt = (stats: BigIntStats | undefined, place: Place): Facts | null =>
  stats ? factsOf(stats, place as SafePath) : null;

function sightingOf(jail: Jail, held: Handle, place: Place): Snapshot {
  const facts = factsOf(jail.stats(held), place as SafePath);
  const bytes = isHashed(facts) ? readable(jail, held) : undefined;
  return { facts, version: versionOf(facts, bytes) };
}

/** What may not be read can still be moved and deleted. */
function readable(jail: Jail, held: Handle): Buffer | undefined {
  try {
    return bytesOf(jail, held);
  } catch (error) {
    if (errnoOf(error) === "EACCES") return undefined;
    throw error;
  }
}

/** One entry is enough to know; there may be a million. */
function isEmpty({ reach }: Handle): boolean {
  const listing = opendirSync(reach);
  try {
    return listing.readSync() === null;
  } finally {
    listing.closeSync();
  }
}

/** Without a directory above there is nothing either. */
function unlessMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (isNothingThere(error)) return undefined;
    throw error;
  }
}

const isNothingThere = (error: unknown): boolean => hasCode(error, "not_found", "not_a_directory");

function movers(
  bench: StagingContext,
): Pick<StorageWriter, "stage" | "move" | "exchange" | "isOneDisk" | "isMounted" | "keep" | "makeDirectory"> {
  const { jail, places } = bench;
  const settled = settling(bench);
  // The doubt that an act begins with is about all that is held: both are asked where they are.
  const acting = <T>(from: Place, to: Place, act: (source: EntryRef, target: EntryRef) => T): T =>
    places.acting(from, (source) => places.using(to, (target) => act(source, target)));
  return {
    async stage(place, content, staging) {
      if ("bytes" in content)
        return places.acting(place, (spot) => {
          writeNew(bench, spot, content.bytes, staging);
          settled(spot.parent);
        });
      await staging.checkpoint?.();
      const isCopied = places.acting(place, (spot) => {
        const isDone = isSmallCopied(bench, spot, content.copyOf, staging);
        if (isDone) settled(spot.parent);
        return isDone;
      });
      if (isCopied) return;
      return places.during(place, async (spot) => {
        await copyNew(bench, spot, content.copyOf, staging);
        settled(spot.parent);
      });
    },
    move: (from, to, how) =>
      acting(from, to, (source, target) => {
        if (how === "over") renameOver(bench, source, target);
        else renameNew(source, target);
        settled(target.parent);
        settled(source.parent);
      }),
    exchange: (one, other) =>
      acting(one, other, (first, second) => {
        if (!isDoneBy(({ exchange }) => exchange(first, second))) return false;
        settled(first.parent);
        settled(second.parent);
        return true;
      }),
    isOneDisk: (from, to) =>
      places.using(from, (source) => places.using(to, (target) => jail.isOneDisk(source.parent, target.parent))),
    isMounted: (path) =>
      places.using(path, (spot) => {
        const apart = ifThere(jail, spot, (held) => !jail.isOneDisk(spot.parent, held));
        return apart?.result ?? false;
      }),
    keep: (path, object) =>
      acting(path, object, (source, target) => {
        backUp(bench, source, target);
        settled(target.parent);
      }),
    makeDirectory: (path) =>
      places.acting(path, (spot) => {
        mkdirSync(spot.at, bench.modes.directory);
        settled(spot.parent);
      }),
  };
}

const settling = ({ durability }: StagingContext): ((held: Handle) => void) =>
  durability === "power" ? sync : () => {};

function changers(bench: StagingContext): Pick<StorageWriter, "setMode" | "append" | "rewrite" | "cut"> {
  const { jail, places } = bench;
  const settled = settling(bench);
  const changing = (path: SafePath, change: (held: Handle, spot: EntryRef) => void): void =>
    places.acting(path, (spot) =>
      withObject(jail, spot, (held) => {
        change(held, spot);
        settled(held);
      }),
    );
  const writing = (path: SafePath, flags: number, change: (fd: number, name: string) => void): void =>
    changing(path, (held, spot) => {
      requireRegularFile(jail.stats(held), spot);
      withData(jail, held, constants.O_WRONLY | flags, (fd) => change(fd, spot.name));
    });
  return {
    setMode: (path, mode) => changing(path, (held, spot) => setMode(jail, held, spot, mode)),
    append: (path, bytes, size) => writing(path, constants.O_APPEND, (fd, name) => appendTo(fd, bytes, size, name)),
    rewrite: (path, bytes) => writing(path, 0, (fd) => rewriteWith(fd, bytes)),
    cut: (path, size) => writing(path, 0, (fd, name) => cutTo(fd, size, name)),
  };
}

function removers(bench: StagingContext): Pick<StorageWriter, "remove" | "erase"> {
  const { jail, places } = bench;
  const settled = settling(bench);
  const erase = (spot: EntryRef): Promise<void> => eraseTree(jail, spot).then(() => settled(spot.parent));
  return {
    remove: (place) =>
      unlessMissing(() =>
        places.acting(place, ({ at, parent }) => {
          removeOne(at);
          settled(parent);
        }),
      ),
    async erase(place) {
      try {
        await places.during(place, erase);
      } catch (error) {
        if (!isNothingThere(error)) throw error;
      }
    },
  };
}
