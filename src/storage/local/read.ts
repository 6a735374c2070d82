import { read as readWithCallback, readSync } from "node:fs";
import { promisify } from "node:util";
import { LIMITS } from "../../base/limits.ts";

const readAsync = promisify(readWithCallback);

/** Fills a buffer from a descriptor. Small reads are synchronous: a trip through the thread pool costs more. */
export const readAt = (fd: number, into: Uint8Array, position: number): number | Promise<number> =>
  into.length <= LIMITS.syncBytes ? fillSync(fd, into, 0, position) : fillAsync(fd, into, position);

async function fillAsync(fd: number, into: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (into.length - filled > LIMITS.syncBytes) {
    const { bytesRead } = await readAsync(fd, into, filled, into.length - filled, position + filled);
    if (bytesRead === 0) return filled;
    filled += bytesRead;
  }
  return fillSync(fd, into, filled, position);
}

function fillSync(fd: number, into: Uint8Array, from: number, position: number): number {
  let filled = from;
  while (filled < into.length) {
    const count = readSync(fd, into, filled, into.length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}
