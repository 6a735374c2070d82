import type { Buffer } from "node:buffer";
import { type ExifFacts, exifFacts } from "./exif.ts";
import { type ByteRange, COMMON_FACTS, type ImageFacts } from "./image-facts.ts";

/** Reads the chunks of a PNG. A missing end is noted, a broken start is a RangeError. */
export function pngFacts(bytes: Buffer): ImageFacts | null {
  if (bytes.toString("latin1", 0, 8) !== SIGNATURE || bytes.toString("latin1", 12, 16) !== "IHDR") return null;
  const metadata: ByteRange[] = [];
  let exif: ExifFacts = {};
  let [frames, hasTransparency, isComplete] = [1, false, false];
  for (let at = 8; !isComplete && at + 12 <= bytes.length;) {
    const type = bytes.toString("latin1", at + 4, at + 8);
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    if (!isShown(type)) metadata.push({ start: at, end });
    if (type === "eXIf") exif = exifFacts(bytes.subarray(at + 8, end - 4));
    if (type === "acTL") frames = Math.max(1, bytes.readUInt32BE(at + 8));
    if (type === "tRNS") hasTransparency = true;
    isComplete = type === "IEND";
    at = end;
    if (isComplete && end < bytes.length) metadata.push({ start: end, end: bytes.length });
  }
  const hasAlpha = hasTransparency || (bytes.readUInt8(25) & 4) !== 0;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const { orientation = 1 } = exif;
  return { ...COMMON_FACTS, format: "png", width, height, orientation, frames, hasAlpha, isComplete, exif, metadata };
}

const SIGNATURE = "\x89PNG\r\n\x1a\n";

/** Detects chunks that are needed to show the picture: those in capitals, transparency, colours, size and frames. */
const isShown = (type: string): boolean => /^[A-Z]/.test(type) || SHOWN.has(type);

const SHOWN: ReadonlySet<string> = new Set(
  "tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs acTL fcTL fdAT".split(" "),
);
