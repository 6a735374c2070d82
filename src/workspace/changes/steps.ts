import type { z } from "zod";
import { Fault } from "../../base/errors.ts";
import type { StorageWriter, Place } from "../../storage/writer.ts";
import type { Facts } from "../../storage/storage.ts";
import type { step } from "./journal/step-schema.ts";

/**
 * The smallest unit of a commit: atomic, and with a way to roll it back. Steps are journaled before they are
 * performed; the journal may hold one that never was, so a rollback first checks whether there is anything to undo.
 */
export type Step = Readonly<z.output<typeof step>>;

export type MoveStep = Extract<Step, { readonly do: "move" }>;
export type Replace = Extract<Step, { readonly do: "replace" }>;
export type Rewrite = Extract<Step, { readonly do: "rewrite" }>;
export type SetMode = Extract<Step, { readonly do: "chmod" }>;
export type AppendStep = Extract<Step, { readonly do: "append" }>;

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
