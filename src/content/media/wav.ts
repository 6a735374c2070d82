import type { ByteSource } from "../byte-source.ts";
import type { PlayableFacts } from "./playable-facts.ts";
import { readAt } from "./read-at.ts";

/** Reads the chunks of a WAV: the format, and how many bytes of sound there are. */
export async function wavFacts(source: ByteSource): Promise<PlayableFacts> {
  let format: { readonly channels: number; readonly sampleRate: number; readonly bytesPerSecond: number } | undefined;
  let at = 12;
  for (let chunks = 0; chunks < CHUNKS; chunks++) {
    const head = await readAt(source, at, 24);
    if (head.length < 8) break;
    const type = head.toString("latin1", 0, 4);
    const length = head.readUInt32LE(4);
    if (type === "fmt " && head.length === 24)
      format = {
        channels: head.readUInt16LE(10),
        sampleRate: head.readUInt32LE(12),
        bytesPerSecond: head.readUInt32LE(16),
      };
    if (type === "data" && format) {
      const { channels, sampleRate, bytesPerSecond } = format;
      const bytes = Math.min(length, source.size - at - 8);
      return { channels, sampleRate, durationMs: bytesPerSecond > 0 ? (bytes / bytesPerSecond) * 1000 : undefined };
    }
    at += 8 + length + (length % 2);
  }
  return format ? { channels: format.channels, sampleRate: format.sampleRate } : {};
}

/** Caps the chunks before the sound. */
const CHUNKS = 1000;
