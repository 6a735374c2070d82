import { Fault } from "../../base/errors.ts";
import type { StorageWriter, Place } from "../../storage/writer.ts";
import type { Facts, SafePath } from "../../storage/storage.ts";

/**
 * The smallest things a commit does, each at once and each with a way back. They are in the journal before they are
 * done; the journal may hold one that never was, so the way back looks first whether there is anything to take back.
 */
export type Step = Replace | Rewrite | MoveStep | MakeDirectory | SetMode | AppendStep;

export interface MoveStep {
  readonly do: "move";
  readonly from: Place;
  readonly to: Place;
  /** Names what moves. */
  readonly identity: string;
  /** It is of our own making, in this state, and nobody misses it at `from`. */
  readonly staged?: string | undefined;
}

/** A file goes over another. */
export interface Replace extends Omit<MoveStep, "do" | "to"> {
  readonly do: "replace";
  readonly to: SafePath;
  /** Where what it goes over is kept. */
  readonly kept: Place;
  /** The state of the file that was judged: another one must not be replaced. */
  readonly stamp: string;
}

/** A file that keeps its inode gets another content: it is mounted, and nothing can go over it. */
export interface Rewrite {
  readonly do: "rewrite";
  readonly path: SafePath;
  readonly identity: string;
  /** Holds the new content. */
  readonly from: Place;
  /** Holds a copy of the old content. */
  readonly kept: Place;
  /** The state of the file that was copied. */
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
  /** How long the file was, and by how much it grows. */
  readonly size: number;
  readonly added: number;
  /** The first bytes that it adds, in base64: what somebody else appends meanwhile is told apart by them. */
  readonly head?: string | undefined;
}

/** Takes one step. Of what an append adds the journal holds only the first bytes. */
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
  if (!now || !bytes || inodeStampOf(now) !== stamp) throw stale(path);
  writer.rewrite(path, bytes);
}

/** Without an exchange, what somebody puts there between the last look and the move is lost. */
function replace(writer: StorageWriter, step: Replace): void {
  if (isExchanged(writer, step)) return;
  const { from, to: path, kept, stamp } = step;
  writer.backUp(path, kept);
  const now = writer.stat(path);
  if (!now || inodeStampOf(now) !== stamp) throw stale(path);
  writer.move(from, path, "over");
}

/** What was there is judged once it is ours alone: another than was meant goes back, and what has other names is copied. */
function isExchanged(writer: StorageWriter, step: Replace): boolean {
  const { from, to, kept, stamp } = step;
  if (!writer.exchange(from, to)) return false;
  const found = writer.stat(from);
  if (!found || inodeStampOf(found) !== stamp) {
    exchangeBack(writer, step);
    throw stale(to);
  }
  if (found.links === 1) writer.move(from, kept, "new");
  else {
    writer.backUp(from, kept);
    writer.remove(from);
  }
  return true;
}

/** What somebody put over ours in between was the last to come, and stays. */
function exchangeBack(writer: StorageWriter, { from, to, identity }: Replace): void {
  writer.exchange(from, to);
  if (hasChanged(writer.stat(from), identity)) writer.exchange(from, to);
}

/** Whether something is there, and it is not the object with this identity. */
export const hasChanged = (found: Facts | null, identity: string): boolean =>
  found !== null && found.identity !== identity;

/** What was planned does not fit what is there now: it has to be planned again. */
export const stale = (path: Place): Fault =>
  new Fault("stale", `Cannot change ${JSON.stringify(path)}: it is no longer as it was`, { path });

/** Tells whether a file is still the same, and was not written to. Its name and number of names may change. */
export const inodeStampOf = ({ identity, size, times }: Facts): string =>
  `${identity}:${size}:${times.slice(0, times.indexOf(":"))}`;
