import type { Buffer } from "node:buffer";
import type { ByteSource } from "../byte-source.ts";
import type { PlayableFacts } from "./playable-facts.ts";
import { readAt } from "./read-at.ts";

/** Reads the first page of an Ogg, which describes the sound, and the last one, which has its position. */
export async function oggFacts(source: ByteSource): Promise<PlayableFacts> {
  const head = await readAt(source, 0, 256);
  const audio = audioIn(head);
  if (!audio) return {};
  const { sampleRate, channels, clock, skipped } = audio;
  const tail = await readAt(source, Math.max(0, source.size - LAST_PAGE_BYTES), LAST_PAGE_BYTES);
  const last = tail.lastIndexOf("OggS");
  if (last < 0 || last + 14 > tail.length) return { sampleRate, channels };
  const samples = Number(tail.readBigInt64LE(last + 6)) - skipped;
  return { sampleRate, channels, durationMs: samples > 0 && clock > 0 ? (samples / clock) * 1000 : undefined };
}

/** A page has at most 255 segments of 255 bytes, and a header. */
const LAST_PAGE_BYTES = 65_307;

interface AudioStream {
  readonly channels: number;
  readonly sampleRate: number;
  /** Sets the rate in which positions count: Opus always counts at 48 kHz. */
  readonly clock: number;
  readonly skipped: number;
}

function audioIn(head: Buffer): AudioStream | undefined {
  const vorbis = head.indexOf("\u0001vorbis", 0, "latin1");
  if (vorbis >= 0 && vorbis + 16 <= head.length) {
    const sampleRate = head.readUInt32LE(vorbis + 12);
    return { channels: head.readUInt8(vorbis + 11), sampleRate, clock: sampleRate, skipped: 0 };
  }
  const opus = head.indexOf("OpusHead");
  if (opus < 0 || opus + 16 > head.length) return undefined;
  const [sampleRate, skipped] = [head.readUInt32LE(opus + 12), head.readUInt16LE(opus + 10)];
  return { channels: head.readUInt8(opus + 9), sampleRate, clock: 48_000, skipped };
}
