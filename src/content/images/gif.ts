import type { Buffer } from "node:buffer";
import { COMMON_FACTS, type ImageFacts } from "./image-facts.ts";

/** Reads the blocks of a GIF and counts its frames. */
export function gifFacts(bytes: Buffer): ImageFacts | null {
  if (!/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return null;
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  let at = 13 + colorTableBytes(bytes.readUInt8(10));
  let frames = 0;
  for (; at < bytes.length && bytes[at] !== TRAILER;) {
    const kind = bytes.readUInt8(at);
    if (kind !== EXTENSION && kind !== PICTURE) break;
    if (kind === PICTURE) {
      if (at + 11 > bytes.length) break;
      frames++;
      at += 11 + colorTableBytes(bytes.readUInt8(at + 9));
    } else at += 2;
    at = endOfSubBlocks(bytes, at);
  }
  const isComplete = bytes[at] === TRAILER;
  return { ...COMMON_FACTS, format: "gif", width, height, frames: Math.max(1, frames), hasAlpha: true, isComplete };
}

const [EXTENSION, PICTURE, TRAILER] = [0x21, 0x2c, 0x3b] as const;

const colorTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** Skips blocks that begin with their length, up to the empty one. */
function endOfSubBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += 1 + length;
  return at + 1;
}
