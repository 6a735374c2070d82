import { Buffer } from "node:buffer";
import { Fault } from "../../../base/errors.ts";
import type { ImageLimits } from "../../../base/image-limits.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { ByteSource } from "../../../content/byte-source.ts";

/** Holds what media are shown with in one call. */
export interface ViewContext {
  readonly limits: ImageLimits;
  readonly checkpoint: Checkpoint;
}

/** Reads all bytes of a file. */
export async function bytesOf(source: ByteSource): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(source.size);
  const count = await source.read(bytes, 0);
  if (count < source.size) throw new Fault("stale", "Cannot read it: it was truncated meanwhile");
  return bytes;
}
