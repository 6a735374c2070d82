import { isUtf8 } from "node:buffer";
import { type BigIntStats, closeSync, constants, type Dirent, fstatSync, openSync, readlinkSync } from "node:fs";
import { Fault } from "../../../base/errors.ts";
import type { StepReader } from "../../resolve.ts";
import type { Containment, Kind, LastLink } from "../../storage.ts";

/** An object on disk that we hold on to, or that was only seen: then its name is opened, and compared. */
export interface Handle {
  /** Reaches this very object for further calls. */
  readonly fsPath: string;
  /** The same byte for byte, where it was reached by a name that is not UTF-8. */
  readonly rawPath?: Buffer;
  /** None where it was only seen. */
  readonly fd?: number;
  readonly stats?: BigIntStats;
  /** The mount that it was reached through, where that was asked. */
  readonly mount?: Buffer | undefined;
  /** The directory it was met in, where identity must be checked again later. */
  readonly parent?: Handle;
}

/** The data of a regular file, open, and what it was then. */
export interface OpenData {
  readonly fd: number;
  readonly stats: BigIntStats;
}

/** The physical jail: how objects are reached so that no link and no swap leads outside. */
export interface Jail {
  readonly containment: Containment;
  readonly steps: StepReader<Handle>;
  /** Holds a directory by a path that nobody else can change, or a link in its last place refused. */
  openDirectory(directory: string | Buffer): Handle;
  /** A quicker way to what exists at a path without links; undefined when the walk has to decide. */
  openDirectly(path: string, last: LastLink): Handle | undefined;
  /** The same to the data of a file, which the caller closes. */
  openFileDirectly(path: string): OpenData | undefined;
  /** Whether a held directory is at exactly this path now. */
  isAt(handle: Handle, path: string): boolean;
  stats(handle: Handle): BigIntStats;
  /** True when the system can rename from one held directory to the other. */
  isSameDisk(one: Handle, other: Handle): boolean;
  /** Opens the data of a regular file, for reading unless said otherwise. Throws `swapped` when it is no longer what was seen. */
  openData(handle: Handle, flags?: number): number;
  /** Throws `swapped` when what was done through this hold may have been done elsewhere. */
  confirm(handle: Handle): void;
}

/** What leads to an entry of a held directory, byte for byte. */
export const rawEntry = ({ fsPath, rawPath = Buffer.from(fsPath) }: Handle, name: Buffer): Buffer =>
  Buffer.concat([rawPath, SLASH, name]);

const SLASH = Buffer.from("/");

/** Whether both are one object. */
export const isSameInode = (one: BigIntStats, other: BigIntStats | undefined): boolean =>
  one.dev === other?.dev && one.ino === other.ino;

/** Opens by its name what was only seen: believed when it is that very object, and `confirm` has no doubt either. */
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

/** Says that what a name leads to is not what was seen there. */
export const swappedFault = (): Fault => new Fault("swapped", "Cannot use the path: it was replaced meanwhile");

/** What an object is, by its own account and not by its name; of an entry, by that of the directory. */
export function kindOfStats(stats: Pick<Dirent, "isFile" | "isDirectory" | "isSymbolicLink">): Kind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "symlink" : "other";
}

/**
 * What a link says. Read by name, so it may be another link by now: whatever it says is judged like the first. A target
 * that is not UTF-8 cannot be walked by name, so nobody can tell where it leads.
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
