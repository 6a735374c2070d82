import { pipeline, Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";
import { isFault } from "../../base/errors.ts";
import type { ByteSource } from "../byte-source.ts";
import { damagedFault, requireSaneSize } from "./bounds.ts";

/** Reads a range of a source in steps. Throws where the source ends before. */
export async function* bytesIn(source: ByteSource, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to;) {
    const chunk = Buffer.allocUnsafe(Math.min(STEP, to - at));
    const got = await source.read(chunk, at);
    if (got === 0) throw damagedFault("it ends too early");
    yield chunk.subarray(0, got);
    at += got;
  }
}

const STEP = 256 * 1024;

/** Fills a buffer from a position. Throws where the source ends before. */
export async function bytesAt(source: ByteSource, position: number, length: number): Promise<Buffer> {
  if (position + length > source.size) throw damagedFault("it ends too early");
  const bytes = Buffer.alloc(length);
  if ((await source.read(bytes, position)) < length) throw damagedFault("it ends too early");
  return bytes;
}

export type Packing = "gzip" | "zstd" | "deflate";

/** Unpacks a stream. Stops the engine when the caller stops reading. */
export async function* unpacked(chunks: AsyncIterable<Uint8Array>, packing: Packing): AsyncGenerator<Uint8Array> {
  const engine = engineFor(packing);
  if (!engine) return yield* unpackedByScript(chunks);
  try {
    yield* transformed(chunks, engine);
  } catch (error) {
    throw isOfEngine(error) ? damagedFault("its compressed data is damaged") : error;
  }
}

/** Inflates a few bytes in one step, without an engine for them alone. Throws where more come out than expected. */
export function inflatedAtOnce(packed: Buffer, size: number): Buffer {
  try {
    return zlib.inflateRawSync(packed, { maxOutputLength: size + 1, chunkSize: Math.max(LEAST_OUTPUT, size + 1) });
  } catch (error) {
    if (error instanceof RangeError) throw damagedFault("an entry is longer than it declares");
    throw isOfEngine(error) ? damagedFault("its compressed data is damaged") : error;
  }
}

/** The least that zlib takes. */
const LEAST_OUTPUT = 64;

/** Sends a stream through an engine, and stops that when the caller stops reading. */
export async function* transformed(chunks: AsyncIterable<Uint8Array>, engine: Transform): AsyncGenerator<Uint8Array> {
  const source = Readable.from(chunks, { objectMode: false });
  // A failure of either side arrives through the engine.
  pipeline(source, engine, () => {});
  try {
    for await (const chunk of engine) yield chunk as Uint8Array;
  } finally {
    source.destroy();
  }
}

/** Returns undefined for zstd where this version of Node lacks it. */
function engineFor(packing: Packing): Transform | undefined {
  if (packing === "gzip") return zlib.createGunzip({ chunkSize: OUTPUT });
  if (packing === "deflate") return zlib.createInflateRaw({ chunkSize: OUTPUT });
  const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform };
  return createZstdDecompress?.();
}

/** Sizes the pieces of unpacked data: each costs a turn of several queues. */
const OUTPUT = 64 * 1024;

/** Recognises errors of zlib, such as Z_DATA_ERROR and ZSTD_error_prefix_unknown. */
const isOfEngine = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^(?:Z_|ZSTD_)/.test(String(error.code));

async function* unpackedByScript(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import("fzstd");
  let ready: Uint8Array[] = [];
  let size = 0;
  const engine = new Decompress((chunk) => {
    requireSaneSize((size += chunk.length), SCRIPT_STEP);
    ready.push(chunk);
  });
  const push = (chunk: Uint8Array, isLast: boolean): readonly Uint8Array[] => {
    [ready, size] = [[], 0];
    try {
      engine.push(chunk, isLast);
    } catch (error) {
      throw isFault(error) ? error : damagedFault("its compressed data is damaged");
    }
    return ready;
  };
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += SCRIPT_STEP) yield* push(chunk.subarray(at, at + SCRIPT_STEP), false);
  yield* push(new Uint8Array(), true);
}

/** Keeps each push short: it cannot be interrupted, and a few bytes may stand for a block of 128 KiB. */
const SCRIPT_STEP = 4096;
