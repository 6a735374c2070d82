import { read as readWithCallback, readSync } from "node:fs";
import { promisify } from "node:util";
import { LIMITS } from "../../base/limits.ts";

const readAsync = promisify(readWithCallback);

/** Fills a buffer from a descriptor. Small reads are done at once: a trip through the thread pool costs more. */
export async function readAt(fd: number, into: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < into.length) {
    const count = await readSome(fd, into, filled, position + filled);
    if (count === 0) return filled;
    filled += count;
  }
  return filled;
}

async function readSome(fd: number, into: Uint8Array, offset: number, position: number): Promise<number> {
  const length = into.length - offset;
  if (length <= LIMITS.syncBytes) return readSync(fd, into, offset, length, position);
  return (await readAsync(fd, into, offset, length, position)).bytesRead;
}
