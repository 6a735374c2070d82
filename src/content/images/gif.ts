import type { Buffer } from "node:buffer";
import { type ByteRange, COMMON_FACTS, type ImageFacts } from "./image-facts.ts";

/** Reads the blocks of a GIF and counts its frames. */
export function gifFacts(bytes: Buffer): ImageFacts | null {
  if (!/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return null;
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  let at = 13 + colorTableBytes(bytes.readUInt8(10));
  const metadata: ByteRange[] = [];
  let frames = 0;
  for (; at < bytes.length && bytes[at] !== TRAILER;) {
    const [kind, start] = [bytes.readUInt8(at), at];
    if (kind !== EXTENSION && kind !== PICTURE) break;
    if (kind === PICTURE) {
      if (at + 11 > bytes.length) break;
      frames++;
      at += 11 + colorTableBytes(bytes.readUInt8(at + 9));
    } else at += 2;
    at = endOfSubBlocks(bytes, at);
    if (kind === EXTENSION && isMetadata(bytes, start)) metadata.push({ start, end: Math.min(at, bytes.length) });
  }
  const isComplete = bytes[at] === TRAILER;
  if (isComplete && at + 1 < bytes.length) metadata.push({ start: at + 1, end: bytes.length });
  frames = Math.max(1, frames);
  return { ...COMMON_FACTS, format: "gif", width, height, frames, hasAlpha: true, isComplete, metadata };
}

/** Detects comments and what applications store, such as XMP; but not how often an animation is repeated. */
function isMetadata(bytes: Buffer, extension: number): boolean {
  const label = bytes[extension + 1];
  const application = bytes.toString("latin1", extension + 3, extension + 14);
  return label === COMMENT || (label === APPLICATION && !/^(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(application));
}

const [COMMENT, APPLICATION] = [0xfe, 0xff] as const;

const [EXTENSION, PICTURE, TRAILER] = [0x21, 0x2c, 0x3b] as const;

const colorTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** Skips blocks that begin with their length, up to the empty one. */
function endOfSubBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += 1 + length;
  return at + 1;
}
