import { Fault } from "../../base/errors.ts";
import type { StorageWriter, Place } from "../../storage/writer.ts";
import type { Facts, SafePath } from "../../storage/storage.ts";

/**
 * The smallest unit of a commit: atomic, and with a way to roll it back. Steps are journaled before they are
 * performed; the journal may hold one that never was, so a rollback first checks whether there is anything to undo.
 */
export type Step = Replace | Rewrite | MoveStep | MakeDirectory | SetMode | AppendStep;

export interface MoveStep {
  readonly do: "move";
  readonly from: Place;
  readonly to: Place;
  /** Identifies the inode that moves. */
  readonly identity: string;
  /** The state of a file that we staged: nobody misses it at `from`. */
  readonly staged?: string | undefined;
}

/** Replaces one file by another. */
export interface Replace extends Omit<MoveStep, "do" | "to"> {
  readonly do: "replace";
  readonly to: SafePath;
  /** The backup of the replaced file. */
  readonly kept: Place;
  /** The checked state of the replaced file: a file in another state must not be replaced. */
  readonly stamp: string;
}

/** Writes a new content into the same inode: the file is mounted and cannot be replaced. */
export interface Rewrite {
  readonly do: "rewrite";
  readonly path: SafePath;
  readonly identity: string;
  /** Holds the new content. */
  readonly from: Place;
  /** Holds a copy of the old content. */
  readonly kept: Place;
  /** The state of the file when it was copied. */
  readonly stamp: string;
}

interface MakeDirectory {
  readonly do: "mkdir";
  readonly path: SafePath;
}

export interface SetMode {
  readonly do: "chmod";
  readonly path: SafePath;
  readonly identity: string;
  readonly mode: number;
  readonly was: number;
}

export interface AppendStep {
  readonly do: "append";
  readonly path: SafePath;
  readonly identity: string;
  /** The length before the append. */
  readonly size: number;
  readonly added: number;
  /** Holds the first bytes that it adds, in base64, which tell them from bytes that somebody else appends meanwhile. */
  readonly head?: string | undefined;
}

/** Performs one step. The bytes of an append are passed in: the journal holds only the first of them. */
export function performStep(writer: StorageWriter, step: Step, bytes?: Uint8Array): void {
  switch (step.do) {
    case "move":
      return writer.move(step.from, step.to, "new");
    case "replace":
      return replace(writer, step);
    case "rewrite":
      return rewrite(writer, step);
    case "mkdir":
      return writer.makeDirectory(step.path);
    case "chmod":
      return writer.setMode(step.path, step.mode);
    case "append":
      return writer.append(step.path, bytes ?? new Uint8Array(), step.size);
  }
}

function rewrite(writer: StorageWriter, { path, from, stamp }: Rewrite): void {
  const now = writer.stat(path);
  const bytes = writer.contentOf(from);
  if (!now || !bytes || inodeStampOf(now) !== stamp) throw staleFault(path);
  writer.rewrite(path, bytes);
}

/** Falls back to check and rename: without an exchange, a file that somebody creates between the two is lost. */
function replace(writer: StorageWriter, step: Replace): void {
  if (isExchanged(writer, step)) return;
  const { from, to: path, kept, stamp } = step;
  writer.backUp(path, kept);
  const now = writer.stat(path);
  if (!now || inodeStampOf(now) !== stamp) throw staleFault(path);
  writer.move(from, path, "over");
}

/**
 * Checks the replaced file after the exchange, when nobody else can reach it. Exchanges an unexpected file back. Backs up
 * a file with other names by a copy: those names can still write to it.
 */
function isExchanged(writer: StorageWriter, step: Replace): boolean {
  const { from, to, kept, stamp } = step;
  const found = writer.exchange(from, to);
  if (found === "unsupported") return false;
  if (!found || inodeStampOf(found) !== stamp) {
    exchangeBack(writer, step);
    throw staleFault(to);
  }
  if (found.links === 1) writer.move(from, kept, "new");
  else {
    writer.backUp(from, kept);
    writer.remove(from);
  }
  return true;
}

/** Keeps a file that somebody put over ours in between: the last writer wins. */
function exchangeBack(writer: StorageWriter, { from, to, identity }: Replace): void {
  const found = writer.exchange(from, to);
  if (found !== "unsupported" && hasChanged(found, identity)) writer.exchange(from, to);
}

/** Checks that another inode is there than the expected one. */
export const hasChanged = (found: Facts | null, identity: string): boolean =>
  found !== null && found.identity !== identity;

/** Says that a plan no longer fits the disk and must be made again. */
export const staleFault = (path: Place): Fault =>
  new Fault("stale", `Cannot change ${JSON.stringify(path)}: it was changed meanwhile`, { path });

/** Returns a stamp that changes when a file is replaced or written to, but not when it is renamed or linked. */
export const inodeStampOf = ({ identity, size, times }: Facts): string =>
  `${identity}:${size}:${times.slice(0, times.indexOf(":"))}`;
