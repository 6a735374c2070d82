import { collectBytes } from "../../base/collect-bytes.ts";
import { LIMITS } from "../../base/limits.ts";
import type { ByteSource } from "../byte-source.ts";
import { cursorOverStream } from "./forward-cursor.ts";

/**
 * Reads a packed file at any position. A small one is unpacked into memory at the first read; a larger one is unpacked
 * as far as it is read, and from the start again where a read goes back.
 */
export function sourceOfStream(
  size: number,
  open: () => AsyncIterable<Uint8Array>,
): ByteSource & { end(): Promise<void> } {
  return size <= LIMITS.archiveHeldBytes ? heldSource(size, open) : streamedSource(size, open);
}

function heldSource(size: number, open: () => AsyncIterable<Uint8Array>): ByteSource & { end(): Promise<void> } {
  let held: Promise<Buffer> | undefined;
  return {
    size,
    read: async (into, position) => (await (held ??= collectBytes(open()))).subarray(position).copy(into),
    end: async () => {},
  };
}

function streamedSource(size: number, open: () => AsyncIterable<Uint8Array>): ByteSource & { end(): Promise<void> } {
  let cursor = cursorOverStream(open());
  // Reads of one file come one after the other, also where the caller does not wait.
  let last: Promise<unknown> = Promise.resolve();
  const readAt = async (into: Uint8Array, position: number): Promise<number> => {
    if (position >= size) return 0;
    if (position < cursor.position) {
      await cursor.end();
      cursor = cursorOverStream(open());
    }
    await cursor.skipTo(position);
    const bytes = await cursor.take(Math.min(into.length, size - position));
    into.set(bytes);
    return bytes.length;
  };
  return {
    size,
    read(into, position) {
      const read = last.then(() => readAt(into, position));
      last = read.catch(() => {});
      return read;
    },
    end: () => cursor.end(),
  };
}
