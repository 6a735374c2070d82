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

export interface StagingContext {
  readonly jail: Jail;
  readonly entries: EntryResolver;
  readonly durability: Durability;
  readonly modes: Modes;
  /** The directory that a tree is being copied to. */
  readonly copy?: BigIntStats;
}

/** Sets the permission bits of new objects that take over none. */
export interface Modes {
  readonly file: number;
  readonly directory: number;
}

/**
 * Writes bytes to a free name, all at once. Whatever goes wrong, nothing of ours is under that name afterwards. A file
 * that will be private is private from its first byte on.
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
      applyMetadata(context, fd, from, staging);
    } finally {
      closeSync(fd);
    }
  });
}

export const CREATE_FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;

/** Removes only what we created. The first error is rethrown, because it says more than a failed removal. */
export function removeOnFailure({ fsPath }: EntryRef, make: () => void): void {
  try {
    make();
  } catch (error) {
    attempt(() => removeOne(fsPath));
    throw error;
  }
}

/** Writes all bytes: the system may take fewer at a time. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}

/** The object whose metadata a new one takes over. */
export interface MetadataSource {
  readonly stats: BigIntStats;
  /** Names it by path: the kernel reads attributes of an O_PATH descriptor only by path. */
  readonly fsPath: string;
}

/** Completes a new object: owner, mode, attributes, times, and fsync. */
export function applyMetadata(
  context: StagingContext,
  fd: number,
  from: MetadataSource | undefined,
  staging: Staging,
): void {
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

/**
 * Sets the mode last: attributes can be set only on what its owner may write to. A mode also restates an access control
 * list.
 */
function copyMetadata(fd: number, { stats, fsPath }: MetadataSource): void {
  if ((stats.mode & 0o200n) === 0n) fchmodSync(fd, 0o600);
  kernel()?.copyAttributes(fsPath, fd);
  copyModeAndOwner(fd, stats);
}

/** Always copies the mode; copies the owner where the system lets us, and drops setuid and setgid where it does not. */
function copyModeAndOwner(fd: number, old: BigIntStats): void {
  const ours = fstatSync(fd, { bigint: true });
  const isOurs = old.uid === ours.uid && old.gid === ours.gid;
  const isOwnerSet = isOurs || attempt(() => fchownSync(fd, Number(old.uid), Number(old.gid)));
  fchmodSync(fd, Number(old.mode) & (isOwnerSet ? 0o7777 : 0o1777));
}

/** Ignores failure: only root may change owners, and the copies of everybody else are their own. */
export function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

/** Adds half a microsecond, because Node takes fractional seconds and truncates them. */
export const timesOf = ({ atimeNs, mtimeNs }: BigIntStats): [number, number] => [
  secondsOf(atimeNs),
  secondsOf(mtimeNs),
];
const secondsOf = (nanoseconds: bigint): number => (Number(nanoseconds / 1000n) + 0.5) / 1e6;
