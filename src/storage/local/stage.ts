import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  openSync,
  writeSync,
} from "node:fs";
import type { Durability, Staging } from "../writer.ts";
import { removeOne } from "./erase.ts";
import { requireRegularFile } from "./jail/with-object.ts";
import type { Jail } from "./jail/jail.ts";
import { kernel } from "./jail/kernel.ts";
import type { EntryResolver, EntryRef } from "./entry-ref.ts";

/** What staging works with. */
export interface StagingContext {
  readonly jail: Jail;
  readonly entries: EntryResolver;
  readonly durability: Durability;
  readonly modes: Modes;
  /** The directory that a tree is being copied to. */
  readonly copy?: BigIntStats;
}

/** Permission bits of what is new and like nothing else. */
export interface Modes {
  readonly file: number;
  readonly directory: number;
}

/**
 * Writes bytes to a free name, all at once. Whatever goes wrong, nothing of ours is under that name afterwards. What will
 * be private is private from its first byte on.
 */
export function writeNew(
  context: StagingContext,
  ref: EntryRef,
  bytes: Uint8Array,
  staging: Staging,
  from?: MetadataSource,
): void {
  const isPlain = staging.like === undefined && staging.mode === undefined && from === undefined;
  const fd = openSync(ref.fsPath, CREATE_FLAGS, isPlain ? context.modes.file : 0o600);
  removeOnFailure(ref, () => {
    try {
      writeAll(fd, bytes);
      finish(context, fd, from, staging);
    } finally {
      closeSync(fd);
    }
  });
}

const CREATE_FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;

/** Only what we made ourselves is taken away; why it failed is worth more than that it could not be taken away. */
export function removeOnFailure({ fsPath }: EntryRef, make: () => void): void {
  try {
    make();
  } catch (error) {
    attempt(() => removeOne(fsPath));
    throw error;
  }
}

/** Writes all of it: the system may take less at a time. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}

/** What something new takes over from. */
export interface MetadataSource {
  readonly stats: BigIntStats;
  /** Its name: only by that the kernel tells its attributes. */
  readonly fsPath: string;
}

/** The last touches to something new: whose it is, its mode, its attributes, its times, and that it is on the disk. */
export function finish(context: StagingContext, fd: number, from: MetadataSource | undefined, staging: Staging): void {
  const { like, mode, keepTimes } = staging;
  if (like !== undefined) context.entries.withEntry(like, (ref) => copyMetadata(fd, metadataSourceAt(ref)));
  else if (from) copyMetadata(fd, from);
  if (mode !== undefined) fchmodSync(fd, mode);
  if (keepTimes && from) futimesSync(fd, ...timesOf(from.stats));
  if (context.durability === "power") fsyncSync(fd);
}

function metadataSourceAt(ref: EntryRef): MetadataSource {
  const stats = lstatSync(ref.fsPath, { bigint: true });
  requireRegularFile(stats, ref);
  return { stats, fsPath: ref.fsPath };
}

/** Mode last: attributes stay only on what its owner may write to. Of an access control list a mode says the same again. */
function copyMetadata(fd: number, { stats, fsPath }: MetadataSource): void {
  if ((stats.mode & 0o200n) === 0n) fchmodSync(fd, 0o600);
  kernel()?.copyAttributes(fsPath, fd);
  copyModeAndOwner(fd, stats);
}

/** Mode always; owner where the system lets us, and without it no bit that would lend the owner's rights. */
function copyModeAndOwner(fd: number, old: BigIntStats): void {
  const ours = fstatSync(fd, { bigint: true });
  const isOurs = old.uid === ours.uid && old.gid === ours.gid;
  const isOwnerSet = isOurs || attempt(() => fchownSync(fd, Number(old.uid), Number(old.gid)));
  fchmodSync(fd, Number(old.mode) & (isOwnerSet ? 0o7777 : 0o1777));
}

/** For what is worth a try: only root may give things away, and everybody else's copies are their own. */
export function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

/** Half a microsecond more, because Node takes seconds with a fraction and cuts what does not fit. */
export const timesOf = ({ atimeNs, mtimeNs }: BigIntStats): [number, number] => [
  secondsOf(atimeNs),
  secondsOf(mtimeNs),
];
const secondsOf = (nanoseconds: bigint): number => (Number(nanoseconds / 1000n) + 0.5) / 1e6;
