import { randomUUID } from "node:crypto";
import { accessSync, constants, openSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { childOf } from "../../base/paths.ts";

/** Opens a file for reading and writing that loses its name at once: only descriptors lead to it. */
export function openNamelessFile(): number {
  const path = childOf(namelessDirectory(), `holdfast-${randomUUID()}`);
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  unlinkSync(path);
  return file;
}

/**
 * Returns the directory for files that lose their names. While they have one, a command that may write there could open
 * them, and change what we run. The directory for temporary files may be in a root; shared memory is private to each
 * sandbox.
 */
export function namelessDirectory(): string {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK | constants.X_OK);
    return SHARED_MEMORY;
  } catch {
    // Some containers have none.
    return tmpdir();
  }
}

const SHARED_MEMORY = "/dev/shm";
