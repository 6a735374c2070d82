import { Buffer } from "node:buffer";
import { LIMITS } from "../../base/limits.ts";
import type { Delta } from "./change.ts";

/** Finds the range in which two contents differ. Returns undefined when it is too long to keep. */
export function deltaOf(before: Uint8Array, after: Uint8Array): Delta | undefined {
  const head = sameStart(before, after);
  const tail = sameEnd(before.subarray(head), after.subarray(head));
  const inserted = after.subarray(head, after.length - tail);
  if (inserted.length > LIMITS.deltaBytes) return undefined;
  return { at: head, length: before.length - tail - head, inserted: Buffer.from(inserted).toString("base64") };
}

/** Compares blocks first: most of a large file is the same, and blocks are compared at the speed of memory. */
function sameStart(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at + BLOCK <= most && isSame(one.subarray(at, at + BLOCK), other.subarray(at, at + BLOCK))) at += BLOCK;
  while (at < most && one[at] === other[at]) at++;
  return at;
}

function sameEnd(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length);
  let tail = 0;
  while (tail + BLOCK <= most && isSame(blockFromEnd(one, tail), blockFromEnd(other, tail))) tail += BLOCK;
  while (tail < most && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail++;
  return tail;
}

const BLOCK = 4096;

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

const blockFromEnd = (bytes: Uint8Array, tail: number): Uint8Array =>
  bytes.subarray(bytes.length - tail - BLOCK, bytes.length - tail);

export const withDelta = (before: Uint8Array, { at, length, inserted }: Delta): Uint8Array =>
  Buffer.concat([before.subarray(0, at), Buffer.from(inserted, "base64"), before.subarray(at + length)]);
