import type { Buffer } from "node:buffer";
import type { ByteSource } from "../byte-source.ts";
import type { PlayableFacts } from "./playable-facts.ts";
import { readAt } from "./read-at.ts";

/** Reads the start of a WebM or Matroska file, where its duration and the size of its picture are. */
export async function webmFacts(source: ByteSource): Promise<PlayableFacts> {
  const bytes = await readAt(source, 0, START_BYTES);
  const found = new Map<number, Buffer>();
  collect(bytes, 0, bytes.length, found);
  const scale = numberIn(found.get(TIMESTAMP_SCALE)) ?? 1_000_000;
  const duration = floatIn(found.get(DURATION));
  return {
    durationMs: duration !== undefined && duration > 0 ? (duration * scale) / 1_000_000 : undefined,
    width: numberIn(found.get(WIDTH)),
    height: numberIn(found.get(HEIGHT)),
    sampleRate: floatIn(found.get(SAMPLE_RATE)),
    channels: numberIn(found.get(CHANNELS)),
  };
}

/** Sizes the start of a file in which all headers are expected. */
const START_BYTES = 64 * 1024;

const [TIMESTAMP_SCALE, DURATION, WIDTH, HEIGHT] = [0x2ad7b1, 0x4489, 0xb0, 0xba] as const;
const [SAMPLE_RATE, CHANNELS] = [0xb5, 0x9f] as const;
const VALUES: ReadonlySet<number> = new Set([TIMESTAMP_SCALE, DURATION, WIDTH, HEIGHT, SAMPLE_RATE, CHANNELS]);
/** Lists elements that hold others: segment, info, tracks, track, video, audio. */
const PARENTS: ReadonlySet<number> = new Set([0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0xe1]);

/** Collects the first value of each kind. */
function collect(bytes: Buffer, from: number, end: number, found: Map<number, Buffer>): void {
  for (let at = from; at < end;) {
    const id = variableInteger(bytes, at, "id");
    const length = id && variableInteger(bytes, at + id.bytes, "length");
    if (!id || !length) return;
    const start = at + id.bytes + length.bytes;
    const next = Math.min(start + length.value, end);
    if (PARENTS.has(id.value)) collect(bytes, start, next, found);
    else if (VALUES.has(id.value) && !found.has(id.value)) found.set(id.value, bytes.subarray(start, next));
    at = next;
  }
}

/** Reads a number whose leading zeros say how many bytes it has. An id keeps its marker bit. */
function variableInteger(bytes: Buffer, at: number, kind: "id" | "length") {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const count = Math.clz32(first) - 23;
  if (at + count > bytes.length || (kind === "id" && count > 4)) return undefined;
  let value = kind === "id" ? first : first & (0xff >> count);
  for (let nth = 1; nth < count; nth++) value = value * 256 + (bytes[at + nth] ?? 0);
  return { value, bytes: count };
}

const numberIn = (bytes: Buffer | undefined): number | undefined =>
  bytes && bytes.length >= 1 && bytes.length <= 6 ? bytes.readUIntBE(0, bytes.length) : undefined;

function floatIn(bytes: Buffer | undefined): number | undefined {
  if (bytes?.length === 4) return bytes.readFloatBE(0);
  return bytes?.length === 8 ? bytes.readDoubleBE(0) : undefined;
}
