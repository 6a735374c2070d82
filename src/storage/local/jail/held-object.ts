import { type BigIntStats, closeSync, readFileSync, readSync } from "node:fs";
import { Fault } from "../../../base/errors.ts";
import type { Handle, Jail } from "./jail.ts";
import type { EntryRef } from "../entry-ref.ts";

/** The object itself is held while it is used, a link not followed: no swap changes what is acted on. */
export function withObject<T>(jail: Jail, spot: EntryRef, use: (held: Handle) => T): T {
  const used = ifThere(jail, spot, use);
  if (used) return used.result;
  throw new Fault("not_found", `Cannot find ${JSON.stringify(spot.name)}: it is gone`);
}

/** The same; null where nothing is, which is no exception for those who only look. */
export function ifThere<T>(
  jail: Jail,
  { parent, name }: EntryRef,
  use: (held: Handle) => T,
): { readonly result: T } | null {
  const met = jail.steps.step(parent, name, true);
  if (met.kind === "missing") return null;
  try {
    return { result: use(met.handle) };
  } finally {
    jail.steps.close(met.handle);
  }
}

/** Seen before it is opened: a FIFO or device would notice. */
export function requireRegularFile(stats: BigIntStats, { name }: EntryRef): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new Fault("not_a_file", `Cannot use ${JSON.stringify(name)}: it is a directory`);
  throw notOurs(stats, name);
}

/** Says why neither a file nor a directory can be used. */
export const notOurs = (stats: BigIntStats, name: string): Fault =>
  stats.isSymbolicLink()
    ? new Fault("swapped", `Cannot use ${JSON.stringify(name)}: a link took its place`)
    : new Fault("special_file", `Cannot use ${JSON.stringify(name)}: it is a FIFO, socket or device`);

/** Opens the data of a file that is held, uses it and lets go. */
export function withData<T>(jail: Jail, held: Handle, flags: number | undefined, use: (fd: number) => T): T {
  const fd = jail.openData(held, flags);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * All that is in a file, or in it from a byte on, or `most` bytes of that. Nearly always that is as much as it had when it
 * was met, and one read tells.
 */
export const bytesOf = (jail: Jail, held: Handle, from = 0, most = Infinity): Buffer =>
  withData(jail, held, undefined, (fd) => {
    const left = Math.max(Number(jail.stats(held).size) - from, 0);
    const room = Buffer.allocUnsafe(Math.min(left + 1, most));
    const length = readSync(fd, room, 0, room.length, from);
    if (length === left || length === most) return room.subarray(0, length);
    return readFileSync(fd).subarray(from, from + most);
  });
