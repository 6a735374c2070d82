import { Buffer } from "node:buffer";
import { LIMITS } from "../base/limits.ts";
import type { Delta } from "./change.ts";

/** The stretch in which two contents differ, when it is short enough to be remembered. */
export function deltaOf(before: Uint8Array, after: Uint8Array): Delta | undefined {
  const head = sameStart(before, after);
  const most = Math.min(before.length, after.length) - head;
  let tail = 0;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const inserted = after.subarray(head, after.length - tail);
  if (inserted.length > LIMITS.deltaBytes) return undefined;
  return { at: head, length: before.length - tail - head, inserted: Buffer.from(inserted).toString("base64") };
}

/** Blocks first: most of a large file is the same. */
function sameStart(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at + BLOCK <= most && Buffer.compare(one.subarray(at, at + BLOCK), other.subarray(at, at + BLOCK)) === 0)
    at += BLOCK;
  while (at < most && one[at] === other[at]) at++;
  return at;
}

const BLOCK = 4096;

export const withDelta = (before: Uint8Array, { at, length, inserted }: Delta): Uint8Array =>
  Buffer.concat([before.subarray(0, at), Buffer.from(inserted, "base64"), before.subarray(at + length)]);
