import type { ByteSource } from "../byte-source.ts";
import type { PlayableFacts } from "./playable-facts.ts";
import { readAt } from "./read-at.ts";

/** Reads the main header of an AVI, its first chunk: the time of a frame, how many there are, and their size. */
export async function aviFacts(source: ByteSource): Promise<PlayableFacts> {
  const head = await readAt(source, 0, HEADER_AT + 40);
  if (head.length < HEADER_AT + 40 || head.toString("latin1", 24, 28) !== "avih") return {};
  const [frameMicros, frames] = [head.readUInt32LE(HEADER_AT), head.readUInt32LE(HEADER_AT + 16)];
  const [width, height] = [head.readUInt32LE(HEADER_AT + 32), head.readUInt32LE(HEADER_AT + 36)];
  const durationMs = (frameMicros * frames) / 1000;
  return { durationMs: durationMs > 0 ? durationMs : undefined, ...(width > 0 && height > 0 && { width, height }) };
}

/** Is where the header begins: behind the names and lengths of the file, the list and the chunk. */
const HEADER_AT = 32;
