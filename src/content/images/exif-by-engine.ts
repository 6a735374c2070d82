import type { Buffer } from "node:buffer";
import type { Checkpoint } from "../../base/time-slicing.ts";
import { decodingOf, imageEngine } from "./engine.ts";
import { type ExifFacts, exifFacts } from "./exif.ts";

/** Reads EXIF data of a format whose header reader does not find them. Returns none where the engine is missing. */
export async function exifByEngine(bytes: Buffer, checkpoint: Checkpoint): Promise<ExifFacts> {
  const engine = await imageEngine();
  const exif = engine && (await decodingOf("it", checkpoint, () => engine(bytes).metadata())).exif;
  if (!exif) return {};
  return exifFacts(exif.subarray(exif.toString("latin1", 0, 6) === "Exif\0\0" ? 6 : 0));
}
