import { Buffer } from "node:buffer";
import type { ByteSource } from "../byte-source.ts";

/** Reads up to `length` bytes at a position; fewer at the end, none outside. */
export async function readAt(source: ByteSource, position: number, length: number): Promise<Buffer> {
  const most = Math.max(0, Math.min(length, source.size - position));
  if (position < 0 || most === 0) return Buffer.alloc(0);
  const bytes = Buffer.alloc(most);
  return bytes.subarray(0, await source.read(bytes, position));
}
