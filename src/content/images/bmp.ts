import type { Buffer } from "node:buffer";
import { COMMON_FACTS, type ImageFacts } from "./image-facts.ts";

/** Reads the header of a Windows bitmap. A negative height only means that the first row is on top. */
export function bmpFacts(bytes: Buffer): ImageFacts | null {
  if (bytes.toString("latin1", 0, 2) !== "BM") return null;
  const header = bytes.readUInt32LE(14);
  if (header === OLD_HEADER)
    return { ...COMMON_FACTS, format: "bmp", width: bytes.readUInt16LE(18), height: bytes.readUInt16LE(20) };
  if (!HEADERS.has(header) || bytes.readUInt16LE(26) !== 1) return null;
  const [width, height] = [bytes.readInt32LE(18), bytes.readInt32LE(22)];
  return { ...COMMON_FACTS, format: "bmp", width, height: Math.abs(height) };
}

const OLD_HEADER = 12;
const HEADERS: ReadonlySet<number> = new Set([40, 52, 56, 64, 108, 124]);
