import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { versionOfBytes, versionOfFacts } from "../../base/version.ts";
import type { Durability, Hands, Place, Sighting } from "../hands.ts";
import type { Facts, SafePath } from "../storage.ts";
import { errnoOf } from "./errno.ts";
import { eraseTree } from "./erase.ts";
import { factsOf } from "./facts.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { Held, Jail } from "./jail.ts";
import { createPlaces, type Places, type Spot } from "./places.ts";
import { stage, writeAll } from "./stage.ts";
import { createStores } from "./stores.ts";

/** The hands of a directory tree on this machine: every call acts through a directory that is held. */
export function createLocalHands(jail: Jail, stateDirectory: string, durability: Durability): Hands {
  const stores = createStores(jail, stateDirectory);
  const places = createPlaces(jail, stores);
  const settled = durability === "power" ? syncDirectory : () => {};
  return {
    look: (place) => looking(jail, places, place, factsOfHeld),
    see: (place) => looking(jail, places, place, sightingOf),
    holds: (path) => unlessMissing(() => places.using(path, () => true)) ?? false,
    isEmpty: (path) =>
      places.using(path, (spot) => withObject(jail, spot, ({ reach }) => readdirSync(reach).length === 0) ?? true),
    fingerprint: (place) => places.using(place, (spot) => fingerprintOf(jail, spot)),
    stage: (place, content, staging) =>
      places.during(place, (spot) => stage({ jail, places, durability }, spot, content, staging)),
    move: (from, to, how) =>
      places.using(from, (source) =>
        places.using(to, (target) => {
          (how === "over" ? renameOver : renameNew)(source, target);
          settled(source.parent);
          settled(target.parent);
        }),
      ),
    isOneDisk: (from, to) =>
      places.using(from, (source) => places.using(to, (target) => jail.isOneDisk(source.parent, target.parent))),
    keep: (path, object) =>
      places.using(path, (source) => places.using(object, (target) => keep(jail, source, target))),
    makeDirectory: (path) =>
      places.using(path, (spot) => {
        mkdirSync(spot.at);
        settled(spot.parent);
      }),
    setMode: (path, mode) =>
      places.using(path, (spot) =>
        present(
          spot,
          withObject(jail, spot, ({ reach }) => chmodSync(reach, mode)),
        ),
      ),
    append: (path, bytes, size) =>
      withData(places, path, constants.O_WRONLY | constants.O_APPEND, (fd) => {
        if (fstatSync(fd).size !== size) throw new Fault("stale", `Cannot append to ${JSON.stringify(path)}: it grew`);
        writeAll(fd, bytes);
        if (durability === "power") fsyncSync(fd);
      }),
    cut: (path, size) => withData(places, path, constants.O_WRONLY, (fd) => ftruncateSync(fd, size)),
    remove: (place) => unlessMissing(() => places.using(place, (spot) => removeOne(spot))),
    erase: async (place) => {
      await places.during(place, async (spot) => eraseTree(jail, spot));
    },
    objectFor: stores.objectFor,
    contentOf: (place) => looking(jail, places, place, contentOfHeld),
  };
}

/** Null when nothing is there. */
function looking<T>(
  jail: Jail,
  places: Places,
  place: Place,
  use: (jail: Jail, held: Held, place: SafePath) => T,
): T | null {
  const look = (spot: Spot): T | null => withObject(jail, spot, (held) => use(jail, held, place as SafePath));
  return unlessMissing(() => places.using(place, look)) ?? null;
}

const factsOfHeld = (jail: Jail, held: Held, place: SafePath): Facts => factsOf(jail.stats(held), place);

function sightingOf(jail: Jail, held: Held, place: SafePath): Sighting {
  const facts = factsOfHeld(jail, held, place);
  const isHashed = facts.kind === "file" && facts.size <= LIMITS.hashedBytes;
  return { facts, version: isHashed ? versionOfBytes(bytesOf(jail, held)) : versionOfFacts(facts) };
}

/** The object itself is held while it is used, a link not followed: no swap changes what is acted on. Null: nothing there. */
function withObject<T>(jail: Jail, { parent, name }: Spot, use: (held: Held) => T): T | null {
  const met = jail.steps.step(parent, name, true);
  if (met.kind === "missing") return null;
  try {
    return use(met.handle);
  } finally {
    jail.steps.close(met.handle);
  }
}

function bytesOf(jail: Jail, held: Held): Buffer {
  const fd = jail.openData(held);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Without a directory above there is nothing either. */
function unlessMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Fault && ["not_found", "not_a_directory", "swapped"].includes(error.code)) return undefined;
    throw error;
  }
}

/** One name is replaced by the other in one instant; from another disk it is copied beside it first. */
function renameOver(from: Spot, to: Spot): void {
  try {
    if (isSameFile(from, to)) unlinkSync(from.at);
    else renameSync(from.at, to.at);
  } catch (error) {
    if (errnoOf(error) !== "EXDEV") throw error;
    const beside = `${to.at}.${from.name}`;
    copyFileSync(from.at, beside, COPY);
    renameSync(beside, to.at);
    unlinkSync(from.at);
  }
}

/** The system renames one name of a file over another by doing nothing. */
function isSameFile(from: Spot, to: Spot): boolean {
  const [one, other] = [lstatSync(from.at), lstatSync(to.at, { throwIfNoEntry: false })];
  return one.nlink > 1 && one.ino === other?.ino && one.dev === other.dev;
}

/** A second name first, then the old one goes: nothing that took the new name meanwhile is lost. */
function renameNew(from: Spot, to: Spot): void {
  if (lstatSync(from.at).isDirectory()) return claimAndRename(from, to);
  if (tryLink(from, to)) unlinkSync(from.at);
  else renameUnlessThere(from, to);
}

const HAS_NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS"];

/** A new directory claims the name, and only an empty one can be renamed over. */
function claimAndRename(from: Spot, to: Spot): void {
  mkdirSync(to.at);
  try {
    renameSync(from.at, to.at);
  } catch (error) {
    rmdirSync(to.at);
    throw error;
  }
}

/** For disks and files that take no second name: what comes between the look and the rename is lost. */
function renameUnlessThere(from: Spot, to: Spot): void {
  if (lstatSync(to.at, { throwIfNoEntry: false })) throw new Fault("exists", "Cannot move: something is there already");
  renameSync(from.at, to.at);
}

/** A file with other names may still be changed through them: then only a copy stays what it is. */
function keep(jail: Jail, from: Spot, to: Spot): void {
  const kept = withObject(jail, from, (held) => {
    const stats = jail.stats(held);
    if (!stats.isFile()) throw new Fault("swapped", `Cannot keep ${JSON.stringify(from.name)}: it is no file any more`);
    if (stats.nlink > 1n || !tryLink(from, to)) copyFileSync(held.reach, to.at, COPY);
  });
  present(from, kept);
}

function present({ name }: Spot, found: void | null): void {
  if (found === null) throw new Fault("not_found", `Cannot change ${JSON.stringify(name)}: it is gone`);
}

function tryLink(from: Spot, to: Spot): boolean {
  try {
    linkSync(from.at, to.at);
    return true;
  } catch (error) {
    if ([...HAS_NO_LINKS, "EXDEV", "EACCES"].includes(errnoOf(error) ?? "")) return false;
    throw error;
  }
}

const COPY = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

function withData<T>(places: Places, path: SafePath, flags: number, use: (fd: number) => T): T {
  return places.using(path, ({ at }) => {
    const fd = openSync(at, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return use(fd);
    } finally {
      closeSync(fd);
    }
  });
}

function removeOne({ at }: Spot): void {
  try {
    unlinkSync(at);
  } catch (error) {
    if (errnoOf(error) !== "EISDIR" && errnoOf(error) !== "EPERM") throw error;
    rmdirSync(at);
  }
}

function syncDirectory({ reach }: Held): void {
  const fd = openSync(reach, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

const contentOfHeld = (jail: Jail, held: Held): Buffer | null =>
  jail.stats(held).isFile() ? bytesOf(jail, held) : null;
