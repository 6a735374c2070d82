import type { Buffer } from "node:buffer";
import type { ByteSource } from "../byte-source.ts";
import type { PlayableFacts } from "./playable-facts.ts";
import { readAt } from "./read-at.ts";

/** Reads the movie header of an MP4 or QuickTime file, and the size of its largest track. */
export async function mp4Facts(source: ByteSource): Promise<PlayableFacts> {
  for await (const { type, start, end } of boxesIn(source, 0, source.size)) {
    if (type !== "moov") continue;
    let durationMs: number | undefined;
    let size: Pick<PlayableFacts, "width" | "height"> = {};
    for await (const box of boxesIn(source, start, end)) {
      if (box.type === "mvhd") durationMs = durationIn(await readAt(source, box.start, 36));
      if (box.type !== "trak") continue;
      for await (const inner of boxesIn(source, box.start, box.end))
        if (inner.type === "tkhd") size = larger(size, sizeIn(await readAt(source, inner.start, 96)));
    }
    return { durationMs, ...size };
  }
  return {};
}

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Caps the boxes of one level. */
const BOXES = 1000;

/** Yields the boxes between two positions; a length of 1 means that a longer one follows, 0 the rest. */
async function* boxesIn(source: ByteSource, from: number, end: number): AsyncGenerator<Box> {
  let at = from;
  for (let count = 0; count < BOXES && at + 8 <= end; count++) {
    const head = await readAt(source, at, 16);
    if (head.length < 8) return;
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && head.length === 16;
    const length = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? end - at : short;
    const header = isLong ? 16 : 8;
    if (length < header) return;
    const next = Math.min(at + length, end);
    yield { type: head.toString("latin1", 4, 8), start: at + header, end: next };
    at = next;
  }
}

/** Reads scale and duration, which have 64 bits in version 1. */
function durationIn(header: Buffer): number | undefined {
  const isLong = header[0] === 1;
  if (header.length < (isLong ? 32 : 20)) return undefined;
  const scale = header.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  return scale > 0 && duration > 0 ? (duration / scale) * 1000 : undefined;
}

/** Reads width and height, numbers with 16 bits behind the point. */
function sizeIn(header: Buffer): Pick<PlayableFacts, "width" | "height"> {
  const at = header[0] === 1 ? 88 : 76;
  if (header.length < at + 8) return {};
  const [width, height] = [header.readUInt32BE(at) >>> 16, header.readUInt32BE(at + 4) >>> 16];
  return width > 0 && height > 0 ? { width, height } : {};
}

const larger = <T extends Pick<PlayableFacts, "width" | "height">>(one: T, other: T): T =>
  (other.width ?? 0) > (one.width ?? 0) ? other : one;
