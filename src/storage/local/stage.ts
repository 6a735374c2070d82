import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { Fault } from "../../base/errors.ts";
import type { Content, Durability, Staging } from "../hands.ts";
import { eraseTree } from "./erase.ts";
import type { Held, Jail } from "./jail.ts";
import { type Places, type Spot, spotIn } from "./places.ts";

interface Bench {
  readonly jail: Jail;
  readonly places: Places;
  readonly durability: Durability;
}

/** Makes something whole under a free name. Whatever goes wrong, the name is free again afterwards. */
export async function stage(bench: Bench, spot: Spot, content: Content, staging: Staging): Promise<void> {
  if ("bytes" in content) return writeNew(bench, spot, content.bytes, staging);
  requireFree(spot);
  try {
    await bench.places.during(content.copyOf, (source) => copyTree(bench, source, spot, staging));
  } catch (error) {
    await eraseTree(bench.jail, spot);
    throw error;
  }
}

function requireFree({ at, name }: Spot): void {
  if (!lstatSync(at, { throwIfNoEntry: false })) return;
  throw new Fault("exists", `Cannot make ${JSON.stringify(name)}: something is there already`);
}

/** What replaces a private file is private from its first byte on. */
function writeNew({ places, durability }: Bench, { at }: Spot, bytes: Uint8Array, { like, mode }: Staging): void {
  const fd = openSync(at, NEW, like === undefined ? 0o666 : 0o600);
  try {
    writeAll(fd, bytes);
    if (like !== undefined) places.using(like, (old) => takeOver(fd, old));
    if (mode !== undefined) fchmodSync(fd, mode);
    if (durability === "power") fsyncSync(fd);
  } catch (error) {
    unlinkSync(at);
    throw error;
  } finally {
    closeSync(fd);
  }
}

const NEW = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;

/** Writes all of it: the system may take less at a time. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}

/** Mode always; owner where the system lets us, and without it no bit that would lend the owner's rights. */
function takeOver(fd: number, { at }: Spot): void {
  const [old, ours] = [lstatSync(at), fstatSync(fd)];
  const isOurs = old.uid === ours.uid && old.gid === ours.gid;
  const isGiven = isOurs || tryChown(fd, old.uid, old.gid);
  fchmodSync(fd, old.mode & (isGiven ? 0o7777 : 0o777));
}

function tryChown(fd: number, uid: number, gid: number): boolean {
  try {
    fchownSync(fd, uid, gid);
    return true;
  } catch {
    return false;
  }
}

/** Copies what a spot holds, link by link, never through one; a tree entry by entry, each in a held directory. */
async function copyTree(bench: Bench, from: Spot, to: Spot, staging: Staging): Promise<void> {
  await staging.breathe?.();
  const { jail } = bench;
  const met = jail.steps.step(from.parent, from.name, true);
  if (met.kind === "missing") throw new Fault("not_found", `Cannot copy ${JSON.stringify(from.name)}: it is gone`);
  try {
    if (met.kind === "link") return copyLink(met, to);
    if (met.kind === "directory") return await copyDirectory(bench, met.handle, to, staging);
    await copyData(bench, met.handle, to, staging);
  } finally {
    jail.steps.close(met.handle);
  }
}

function copyLink({ target }: { target: string }, to: Spot): void {
  symlinkSync(target, to.at);
}

async function copyDirectory(bench: Bench, from: Held, to: Spot, staging: Staging): Promise<void> {
  const { jail } = bench;
  const stats = jail.stats(from);
  mkdirSync(to.at, Number(stats.mode & 0o777n) | 0o700);
  const made = jail.hold(to.at);
  try {
    for (const name of readdirSync(from.reach, "buffer")) {
      await copyTree(bench, spotIn(from, wellFormed(name)), spotIn(made, wellFormed(name)), staging);
    }
    finishDirectory(made, stats, staging);
  } finally {
    jail.steps.close(made);
  }
}

function wellFormed(name: Buffer): string {
  const text = name.toString("utf8");
  if (Buffer.from(text).equals(name)) return text;
  throw new Fault("invalid_input", `Cannot copy ${JSON.stringify(text)}: its name is not valid UTF-8`);
}

type Stats = ReturnType<Jail["stats"]>;

function finishDirectory({ reach }: Held, stats: Stats, { keepTimes }: Staging): void {
  const fd = openSync(reach, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fchmodSync(fd, Number(stats.mode & 0o7777n));
    if (keepTimes) futimesSync(fd, secondsOf(stats.atimeNs), secondsOf(stats.mtimeNs));
  } finally {
    closeSync(fd);
  }
}

const secondsOf = (nanoseconds: bigint): number => Number(nanoseconds) / 1e9;

/** Shares the blocks where the disk can. A FIFO, socket or device is refused before it is opened. */
async function copyData(
  { jail, durability }: Bench,
  from: Held,
  to: Spot,
  { keepTimes, mode }: Staging,
): Promise<void> {
  const stats = jail.stats(from);
  if (!stats.isFile())
    throw new Fault("special_file", `Cannot copy ${JSON.stringify(to.name)}: it is a FIFO, socket or device`);
  await copyFile(from.reach, to.at, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  if (keepTimes) lutimesSync(to.at, secondsOf(stats.atimeNs), secondsOf(stats.mtimeNs));
  if (mode === undefined && durability === "process") return;
  const fd = openSync(to.at, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (mode !== undefined) fchmodSync(fd, mode);
    if (durability === "power") fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
