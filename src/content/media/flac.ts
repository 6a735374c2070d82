import type { ByteSource } from "../byte-source.ts";
import type { PlayableFacts } from "./playable-facts.ts";
import { readAt } from "./read-at.ts";

/** Reads the first block of a FLAC, which describes the stream: 20 bits of rate, 3 of channels, 36 of samples. */
export async function flacFacts(source: ByteSource): Promise<PlayableFacts> {
  const head = await readAt(source, 0, 26);
  if (head.length < 26 || head.toString("latin1", 0, 4) !== "fLaC") return {};
  const sampleRate = head.readUIntBE(18, 3) >>> 4;
  const channels = ((head.readUInt8(20) >>> 1) & 7) + 1;
  const samples = (head.readUInt8(21) & 0x0f) * 2 ** 32 + head.readUInt32BE(22);
  const isKnown = sampleRate > 0 && samples > 0;
  return { sampleRate, channels, durationMs: isKnown ? (samples / sampleRate) * 1000 : undefined };
}
