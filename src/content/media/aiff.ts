import type { Buffer } from "node:buffer";
import type { ByteSource } from "../byte-source.ts";
import type { PlayableFacts } from "./playable-facts.ts";
import { readAt } from "./read-at.ts";

/** Reads the chunk of an AIFF that describes the sound: channels, frames, bits, and frames per second. */
export async function aiffFacts(source: ByteSource): Promise<PlayableFacts> {
  let at = 12;
  for (let chunks = 0; chunks < CHUNKS; chunks++) {
    const head = await readAt(source, at, 26);
    if (head.length < 8) break;
    if (head.toString("latin1", 0, 4) === "COMM" && head.length === 26) return audioIn(head);
    const length = head.readUInt32BE(4);
    at += 8 + length + (length % 2);
  }
  return {};
}

/** Caps the chunks before the one that is looked for. */
const CHUNKS = 1000;

const MOST_RATE = 10_000_000;

function audioIn(head: Buffer): PlayableFacts {
  const [channels, frames, sampleRate] = [head.readUInt16BE(8), head.readUInt32BE(10), extendedFloat(head, 16)];
  if (sampleRate < 1 || sampleRate > MOST_RATE) return { channels };
  return { channels, sampleRate, durationMs: frames > 0 ? (frames / sampleRate) * 1000 : undefined };
}

/** Reads a number of 80 bits: the sign, 15 bits of exponent, and 64 of mantissa with its leading one. */
const extendedFloat = (bytes: Buffer, at: number): number =>
  Number(bytes.readBigUInt64BE(at + 2)) * 2 ** ((bytes.readUInt16BE(at) & 0x7fff) - 16_383 - 63);
