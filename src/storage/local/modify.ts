import { chmodSync, closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync } from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { wrongKindFault } from "./jail/with-object.ts";
import type { Handle, Jail } from "./jail/jail.ts";
import type { EntryRef } from "./entry-ref.ts";
import { writeAll } from "./stage.ts";

/** Sets the permission bits of an open file or directory. */
export function setMode(jail: Jail, handle: Handle, { name }: EntryRef, mode: number): void {
  const stats = jail.stats(handle);
  if (!stats.isFile() && !stats.isDirectory()) throw wrongKindFault(stats, name);
  jail.confirm(handle);
  chmodSync(handle.fsPath, mode);
}

/** Appends all bytes or none, to a file that has no other name: a partial write to a full disk is rolled back. */
export function appendTo(fd: number, bytes: Uint8Array, size: number, name: string): void {
  const stats = fstatSync(fd);
  if (stats.size !== size || stats.nlink !== 1)
    throw new Fault("stale", `Cannot append to ${JSON.stringify(name)}: it has changed`);
  try {
    writeAll(fd, bytes);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  }
}

/** Truncates last: at any moment the file starts with new content, followed by the rest of the old one. */
export function rewriteWith(fd: number, bytes: Uint8Array): void {
  writeAll(fd, bytes);
  ftruncateSync(fd, bytes.length);
}

/** Only shortens: a file that is shorter already is not the one the caller knew, and would be filled with zeros. */
export function truncateTo(fd: number, size: number, name: string): void {
  if (fstatSync(fd).size < size)
    throw new Fault("stale", `Cannot truncate ${JSON.stringify(name)}: it is shorter already`);
  ftruncateSync(fd, size);
}

/** Waits until a change is on the disk. Skips what we may not open, and what this disk cannot sync. */
export function sync({ fsPath }: Handle): void {
  try {
    fsyncPath(fsPath);
  } catch (error) {
    if (!["EACCES", "EINVAL"].includes(errnoOf(error) ?? "")) throw error;
  }
}

function fsyncPath(fsPath: string): void {
  const fd = openSync(fsPath, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
