import { isUtf8 } from "node:buffer";
import { type BigIntStats, closeSync, constants, type Dirent, fstatSync, openSync, readlinkSync } from "node:fs";
import { Fault } from "../../../base/errors.ts";
import type { StepReader } from "../../resolve.ts";
import type { Containment, Entry, Kind, LastLink } from "../../storage.ts";

/**
 * An open object on the disk, or one that was only seen: that one is opened by name later, and compared by inode.
 */
export interface Handle {
  /** Leads to this very object in further calls. */
  readonly fsPath: string;
  /** Holds the same path byte for byte, where a name in it is not UTF-8. */
  readonly rawPath?: Buffer;
  /** Is undefined where the object was only seen. */
  readonly fd?: number;
  /** Is true for a directory whose entries can be read through the descriptor itself. */
  readonly isListable?: boolean;
  readonly stats?: BigIntStats;
  /** Identifies the mount that it was opened through, where that was read. */
  readonly mount?: Buffer | undefined;
  /** The parent directory, where identity must be checked again later. */
  readonly parent?: Handle;
}

/** The open data of a regular file, with its stats at that time. */
export interface OpenData {
  readonly fd: number;
  readonly stats: BigIntStats;
}

/** The physical jail: opens objects so that no link and no swap leads outside. */
export interface Jail {
  readonly containment: Containment;
  readonly steps: StepReader<Handle>;
  /** Opens a directory by a path that nobody else can change; a link in its last place is refused. */
  openDirectory(directory: string | Buffer): Handle;
  /** The fast path to what exists at a path without links; returns undefined when the walk must decide. */
  openDirectly(path: string, last: LastLink): Handle | undefined;
  /** Does the same for a directory, without its stats. */
  openDirectoryDirectly(path: string): Handle | undefined;
  /** The fast path to the data of a file, which the caller closes. A FIFO or device is not opened: it would notice. */
  openFileDirectly(path: string): OpenData | undefined;
  /** The fast path to a directory in an open one; returns undefined when a step must decide. */
  openSubdirectory(parent: Handle, name: string): Handle | undefined;
  /** The fast path to the entries of a directory; returns undefined when Node must read them. */
  entries(handle: Handle): readonly Entry[] | undefined;
  /** Returns whether an open directory is at exactly this path now. */
  isAt(handle: Handle, path: string): boolean;
  stats(handle: Handle): BigIntStats;
  /** Returns true when the system can rename from one open directory to the other. */
  isSameDisk(one: Handle, other: Handle): boolean;
  /** Opens the data of a regular file, for reading by default. Throws `swapped` when it is no longer what was seen. */
  openData(handle: Handle, flags?: number): number;
  /** Throws `swapped` when what was done through this handle may have been done elsewhere. */
  confirm(handle: Handle): void;
}

/** Returns the path of an entry of an open directory, byte for byte. */
export const rawEntry = ({ fsPath, rawPath = Buffer.from(fsPath) }: Handle, name: Buffer): Buffer =>
  Buffer.concat([rawPath, SLASH, name]);

const SLASH = Buffer.from("/");

export const isSameInode = (one: BigIntStats, other: BigIntStats | undefined): boolean =>
  one.dev === other?.dev && one.ino === other.ino;

/** Opens by name what was only seen. Accepts it when the inode is the same and `confirm` does not throw. */
export function openIfUnchanged({ fsPath, stats }: Handle, flags: number, confirm = (): void => {}): number {
  const fd = openSync(fsPath, flags | SAFE_FLAGS);
  try {
    if (!isSameInode(fstatSync(fd, { bigint: true }), stats)) throw swappedFault();
    confirm();
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

const SAFE_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Says that a name leads to another object than before. */
export const swappedFault = (): Fault => new Fault("swapped", "Cannot use the path: it was replaced meanwhile");

/** Returns the type from the object's own stats, or, for an entry, from its directory. */
export function kindOfStats(stats: Pick<Dirent, "isFile" | "isDirectory" | "isSymbolicLink">): Kind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "symlink" : "other";
}

/**
 * Returns the target of a link. It is read by name, so it may be another link by now: its target is then judged like
 * the first. A target that is not UTF-8 cannot be resolved by name and is refused.
 */
export function linkTarget(path: string): string {
  const target = linkBytes(path);
  if (isUtf8(target)) return target.toString();
  throw new Fault("outside_workspace", "Cannot follow a link: its target is not valid UTF-8");
}

function linkBytes(path: string): Buffer {
  try {
    return readlinkSync(path, "buffer");
  } catch (error) {
    throw new Fault("swapped", "Cannot follow a link: it was replaced meanwhile", {}, error);
  }
}
