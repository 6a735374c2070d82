import { Buffer } from "node:buffer";
import { Fault } from "../base/errors.ts";

/** Reads bytes at any position. An open file is one. */
export interface ByteSource {
  readonly size: number;
  /** Fills `into` from `position` on. Returns the bytes read; fewer than requested only at the end. */
  read(into: Uint8Array, position: number): number | Promise<number>;
}

/** Reads bytes that are in memory. */
export const bytesInMemory = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: (into, position) => bytes.subarray(position).copy(into),
});

/** Reads all bytes, or the first ones, into memory of their own: it can be given away to a worker. */
export async function bytesOf(source: ByteSource, size = source.size): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  const count = await source.read(bytes, 0);
  if (count < size) throw new Fault("stale", "Cannot read it: it was truncated meanwhile");
  return bytes;
}
