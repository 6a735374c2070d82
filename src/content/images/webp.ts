import type { Buffer } from "node:buffer";
import { type ExifFacts, exifFacts } from "./exif.ts";
import { type ByteRange, COMMON_FACTS, type ImageFacts } from "./image-facts.ts";

/** Reads the chunks of a WebP. Returns null if none of them has the size. */
export function webpFacts(bytes: Buffer): ImageFacts | null {
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP") return null;
  const metadata: ByteRange[] = [];
  let exif: ExifFacts = {};
  let size: Size | undefined;
  let frames = 0;
  const fileEnd = Math.min(bytes.length, bytes.readUInt32LE(4) + 8);
  for (let at = 12; at + 8 <= fileEnd;) {
    const type = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    const data = bytes.subarray(at + 8, at + 8 + length);
    size ??= SIZES[type]?.(data);
    if (type === "ANMF") frames++;
    if (!SHOWN.has(type)) metadata.push({ start: at, end: Math.min(end, fileEnd) });
    if (type === "EXIF") exif = exifFacts(data.subarray(data.toString("latin1", 0, 6) === "Exif\0\0" ? 6 : 0));
    at = end;
  }
  if (fileEnd < bytes.length) metadata.push({ start: fileEnd, end: bytes.length });
  if (!size) return null;
  const isComplete = bytes.readUInt32LE(4) + 8 <= bytes.length;
  const orientation = exif.orientation ?? 1;
  return {
    ...COMMON_FACTS,
    format: "webp",
    ...size,
    orientation,
    frames: Math.max(1, frames),
    isComplete,
    exif,
    metadata,
  };
}

/** Lists chunks that are needed to show the picture; others describe it, or hold anything. */
const SHOWN: ReadonlySet<string> = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);

type Size = Pick<ImageFacts, "width" | "height" | "hasAlpha">;

const SIZES: Readonly<Record<string, (data: Buffer) => Size | undefined>> = {
  VP8X: (data) => ({
    width: data.readUIntLE(4, 3) + 1,
    height: data.readUIntLE(7, 3) + 1,
    hasAlpha: (data.readUInt8(0) & 0x10) !== 0,
  }),
  "VP8 ": (data) =>
    data.readUIntBE(3, 3) === 0x9d012a
      ? { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff, hasAlpha: false }
      : undefined,
  VP8L(data) {
    if (data.readUInt8(0) !== 0x2f) return undefined;
    const bits = data.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, hasAlpha: (bits & 0x10000000) !== 0 };
  },
};
