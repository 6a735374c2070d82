import { type BigIntStats, closeSync, readFileSync, readSync } from "node:fs";
import { Fault } from "../../../base/errors.ts";
import type { Handle, Jail } from "./jail.ts";
import type { EntryRef } from "../entry-ref.ts";

/** Opens the object itself while it is used, a link not followed: no swap changes what is acted on. */
export function withObject<T>(jail: Jail, ref: EntryRef, use: (handle: Handle) => T): T {
  const used = withObjectIfPresent(jail, ref, use);
  if (used) return used.result;
  throw new Fault("not_found", `Cannot find ${JSON.stringify(ref.name)}: it is gone`);
}

/** Does the same, but returns null where nothing is there, which is no error for a mere read. */
export function withObjectIfPresent<T>(
  jail: Jail,
  { parent, name }: EntryRef,
  use: (handle: Handle) => T,
): { readonly result: T } | null {
  const found = jail.steps.step(parent, name, true);
  if (found.kind === "missing") return null;
  try {
    return { result: use(found.handle) };
  } finally {
    jail.steps.close(found.handle);
  }
}

/** Checks the type before the object is opened, because a FIFO or device would notice. */
export function requireRegularFile(stats: BigIntStats, { name }: EntryRef): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new Fault("not_a_file", `Cannot use ${JSON.stringify(name)}: it is a directory`);
  throw wrongKindFault(stats, name);
}

/** Says why an object that is neither a file nor a directory cannot be used. */
export const wrongKindFault = (stats: BigIntStats, name: string): Fault =>
  stats.isSymbolicLink()
    ? new Fault("swapped", `Cannot use ${JSON.stringify(name)}: a link took its place`)
    : new Fault("special_file", `Cannot use ${JSON.stringify(name)}: it is a FIFO, socket or device`);

/** Opens the data of an open object, uses it and closes it. */
export function withData<T>(jail: Jail, handle: Handle, flags: number | undefined, use: (fd: number) => T): T {
  const fd = jail.openData(handle, flags);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Reads a file from a byte on, at most `most` bytes. Nearly always the size is still the one in the stats, and a single
 * read of one byte more than that proves it.
 */
export const bytesOf = (jail: Jail, handle: Handle, from = 0, most = Infinity): Buffer =>
  withData(jail, handle, undefined, (fd) => {
    const left = Math.max(Number(jail.stats(handle).size) - from, 0);
    const buffer = Buffer.allocUnsafe(Math.min(left + 1, most));
    const length = readSync(fd, buffer, 0, buffer.length, from);
    if (length === left || length === most) return buffer.subarray(0, length);
    return readFileSync(fd).subarray(from, from + most);
  });
