import { Buffer } from "node:buffer";
import type { ImageFacts } from "./image-facts.ts";

/** Cuts out metadata, such as where a photo was taken. The pixels stay as they are stored. */
export function withoutMetadata(bytes: Buffer, { format, metadata }: ImageFacts): Buffer {
  if (metadata.length === 0) return bytes;
  const starts = [0, ...metadata.map(({ end }) => end)];
  const rest = Buffer.concat(starts.map((start, nth) => bytes.subarray(start, metadata[nth]?.start)));
  return format === "webp" ? withNewHeader(rest) : rest;
}

/** Corrects the length of a WebP, and the flags that announce metadata. */
function withNewHeader(bytes: Buffer): Buffer {
  bytes.writeUInt32LE(bytes.length - 8, 4);
  if (bytes.toString("latin1", 12, 16) === "VP8X") bytes.writeUInt8(bytes.readUInt8(20) & ~METADATA_FLAGS, 20);
  return bytes;
}

const METADATA_FLAGS = 0x0c;
