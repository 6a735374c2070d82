import type { Buffer } from "node:buffer";
import { type ExifFacts, exifFacts } from "./exif.ts";
import { type ByteRange, COMMON_FACTS, type ImageFacts } from "./image-facts.ts";

/** Reads the segments of a JPEG up to its first scan. Returns null if none of them has the size. */
export function jpegFacts(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== START) return null;
  const metadata: ByteRange[] = [];
  let exif: ExifFacts = {};
  let frame: Pick<ImageFacts, "width" | "height" | "isPlain"> | undefined;
  let at = 2;
  for (let marker = 0; at + 4 <= bytes.length && marker !== SCAN;) {
    if (bytes.readUInt8(at) !== 0xff) return null;
    marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    const end = at + 2 + (STANDALONE.has(marker) ? 0 : bytes.readUInt16BE(at + 2));
    if (METADATA.has(marker) || isMultiPicture(bytes, marker, at)) metadata.push({ start: at, end });
    if (marker === APP1 && bytes.toString("latin1", at + 4, at + 10) === "Exif\0\0")
      exif = exifFacts(bytes.subarray(at + 10, Math.min(end, bytes.length)));
    if (isFrame(marker)) frame = frameAt(bytes, at);
    at = end;
  }
  const isComplete = bytes.lastIndexOf(END_MARKER) >= at;
  return frame ? { ...COMMON_FACTS, format: "jpeg", ...frame, ...upright(exif), isComplete, exif, metadata } : null;
}

const START = 0xffd8;
const [SCAN, APP1, APP2] = [0xda, 0xe1, 0xe2] as const;
const END_MARKER = new Uint8Array([0xff, 0xd9]);
/** Lists markers without a length: restarts, the start, the end, and TEM. */
const STANDALONE: ReadonlySet<number> = new Set([0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9]);
/** Lists segments that only describe the picture: EXIF and XMP, IPTC, comments. */
const METADATA: ReadonlySet<number> = new Set([APP1, 0xed, 0xfe]);

/** Detects an index of further pictures in the file, which holds offsets. */
const isMultiPicture = (bytes: Buffer, marker: number, at: number): boolean =>
  marker === APP2 && bytes.toString("latin1", at + 4, at + 8) === "MPF\0";

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const frameAt = (bytes: Buffer, at: number): Pick<ImageFacts, "width" | "height" | "isPlain"> => ({
  height: bytes.readUInt16BE(at + 5),
  width: bytes.readUInt16BE(at + 7),
  isPlain: bytes.readUInt8(at + 9) !== 4,
});

const upright = ({ orientation = 1 }: ExifFacts): Pick<ImageFacts, "orientation"> => ({ orientation });
