import type { Buffer } from "node:buffer";
import { LIMITS } from "../../base/limits.ts";
import { exifFacts, orientationIn } from "./exif.ts";
import { COMMON_FACTS, type ImageFacts, type PictureSize } from "./image-facts.ts";
import { type Directory, directoryAt, openTiff } from "./tiff-directory.ts";

/** Reads the directories of a TIFF, one for each page. */
export function tiffFacts(bytes: Buffer): ImageFacts | null {
  const tiff = openTiff(bytes);
  if (!tiff) return null;
  const pages: PictureSize[] = [];
  const seen = new Set<number>();
  let isComplete = true;
  for (let at = tiff.first; at !== 0 && !seen.has(at) && pages.length < LIMITS.imagePages;) {
    seen.add(at);
    const directory = at + 2 <= bytes.length ? readOrUndefined(() => directoryAt(tiff, at)) : undefined;
    isComplete &&= directory !== undefined;
    if (directory) pages.push(sizeIn(directory));
    at = directory?.next ?? 0;
  }
  const [first] = pages;
  if (!first) return null;
  return { ...COMMON_FACTS, format: "tiff", ...first, pages, frames: pages.length, isComplete, exif: exifFacts(bytes) };
}

const sizeIn = (directory: Directory): PictureSize => ({
  width: directory.number(256) ?? 0,
  height: directory.number(257) ?? 0,
  orientation: orientationIn(directory),
});

/** Returns undefined for a directory that is cut off: the pages before it count. */
function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
