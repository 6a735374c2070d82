import { read as readWithCallback, readSync } from "node:fs";
import { promisify } from "node:util";
import { LIMITS } from "../../base/limits.ts";

const readAsync = promisify(readWithCallback);

/** Fills a buffer from a descriptor. Small reads are done at once: a trip through the thread pool costs more. */
export async function readAt(fd: number, into: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < into.length) {
    const length = into.length - filled;
    const at = position + filled;
    const count =
      length <= LIMITS.syncBytes
        ? readSync(fd, into, filled, length, at)
        : (await readAsync(fd, into, filled, length, at)).bytesRead;
    if (count === 0) return filled;
    filled += count;
  }
  return filled;
}
