import type { Buffer } from "node:buffer";
import { type ExifFacts, exifFacts } from "./exif.ts";
import { type ByteRange, COMMON_FACTS, type ImageFacts } from "./image-facts.ts";

/** Reads the segments of a JPEG up to its end. Returns null if none of them has the size. */
export function jpegFacts(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== START) return null;
  const metadata: ByteRange[] = [];
  let exif: ExifFacts = {};
  let frame: Pick<ImageFacts, "width" | "height" | "isPlain"> | undefined;
  let isComplete = false;
  for (let at = 2; !isComplete && at + 2 <= bytes.length;) {
    if (bytes.readUInt8(at) !== 0xff) break;
    const marker = bytes.readUInt8(at + 1);
    isComplete = marker === END;
    const end = marker === 0xff ? at + 1 : endOfSegment(bytes, marker, at);
    if (isMetadata(bytes, marker, at)) metadata.push({ start: at, end: Math.min(end, bytes.length) });
    if (marker === APP1 && bytes.toString("latin1", at + 4, at + 10) === "Exif\0\0")
      exif = exifFacts(bytes.subarray(at + 10, Math.min(end, bytes.length)));
    if (isFrame(marker)) frame ??= frameAt(bytes, at);
    at = marker === SCAN ? endOfScan(bytes, end) : end;
    if (isComplete && at < bytes.length) metadata.push({ start: at, end: bytes.length });
  }
  return frame ? { ...COMMON_FACTS, format: "jpeg", ...frame, ...upright(exif), isComplete, exif, metadata } : null;
}

const START = 0xffd8;
const [SCAN, END, APP1, APP2, COMMENT] = [0xda, 0xd9, 0xe1, 0xe2, 0xfe] as const;
/** Lists markers without a length: restarts, the start, the end, and TEM. */
const STANDALONE: ReadonlySet<number> = new Set([0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, END]);

const endOfSegment = (bytes: Buffer, marker: number, at: number): number =>
  at + 2 + (STANDALONE.has(marker) ? 0 : bytes.readUInt16BE(at + 2));

/** Skips packed pixels, in which a marker is followed by a zero, or is a restart. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

/**
 * Detects a segment that is not needed to show the picture. Of those for applications, only JFIF, colour profiles and
 * what Adobe says of the colours are; others hold EXIF, XMP, IPTC, an index of further pictures, or anything.
 */
function isMetadata(bytes: Buffer, marker: number, at: number): boolean {
  if (marker === APP2) return bytes.toString("latin1", at + 4, at + 15) !== "ICC_PROFILE";
  return marker === COMMENT || (marker >= APP1 && marker <= 0xef && marker !== ADOBE);
}

const ADOBE = 0xee;

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const frameAt = (bytes: Buffer, at: number): Pick<ImageFacts, "width" | "height" | "isPlain"> => ({
  height: bytes.readUInt16BE(at + 5),
  width: bytes.readUInt16BE(at + 7),
  isPlain: bytes.readUInt8(at + 9) !== 4,
});

const upright = ({ orientation = 1 }: ExifFacts): Pick<ImageFacts, "orientation"> => ({ orientation });
