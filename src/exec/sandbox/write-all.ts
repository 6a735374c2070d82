import { write } from "node:fs";
import { promisify } from "node:util";

/** Writes all bytes to a descriptor, however few it takes at once. Returns false where it cannot: the disk may be full. */
export async function writeAll(descriptor: number, bytes: Uint8Array): Promise<boolean> {
  try {
    for (let at = 0; at < bytes.length;) at += (await writeSome(descriptor, bytes, at)).bytesWritten;
    return true;
  } catch {
    return false;
  }
}

const writeSome = promisify(write);
