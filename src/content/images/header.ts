import { Buffer } from "node:buffer";
import { bmpFacts } from "./bmp.ts";
import { gifFacts } from "./gif.ts";
import { heifFacts } from "./heif.ts";
import type { ImageFacts, ImageFormat } from "./image-facts.ts";
import { jpegFacts } from "./jpeg.ts";
import { pngFacts } from "./png.ts";
import { tiffFacts } from "./tiff.ts";
import { webpFacts } from "./webp.ts";

/** Reads the header of an image, by its magic bytes alone. Returns null for anything that has no size. */
export function imageFactsOf(bytes: Uint8Array): ImageFacts | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const read of READERS) {
    const facts = factsOrNull(() => read(buffer));
    if (facts) return facts.width > 0 && facts.height > 0 ? facts : null;
  }
  return null;
}

const READERS = [pngFacts, jpegFacts, gifFacts, webpFacts, tiffFacts, heifFacts, bmpFacts] as const;

/** Returns null where a header ends too early or points outside the file. */
function factsOrNull(read: () => ImageFacts | null): ImageFacts | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Maps formats to their media types. */
export const IMAGE_MIMES: Readonly<Record<ImageFormat, string>> = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  tiff: "image/tiff",
  bmp: "image/bmp",
  avif: "image/avif",
  heic: "image/heic",
};
