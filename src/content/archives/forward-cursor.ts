import type { ByteSource } from "../byte-source.ts";
import { damagedFault } from "./bounds.ts";

/** Reads bytes from the start to the end, in pieces of any size. */
export interface ForwardCursor {
  readonly position: number;
  /** Returns the next bytes; fewer only at the end. They stay valid until the next call. */
  take(length: number): Promise<Buffer>;
  /** Skips bytes. Throws where the end comes before. */
  skipTo(position: number): Promise<void>;
}

/** Moves over a source without reading what is skipped. */
export function cursorOverSource(source: ByteSource): ForwardCursor {
  let position = 0;
  return {
    get position() {
      return position;
    },
    async take(length) {
      const bytes = Buffer.allocUnsafe(length);
      const got = await source.read(bytes, position);
      position += got;
      return bytes.subarray(0, got);
    },
    async skipTo(next) {
      if (next > source.size) throw damagedFault("it ends in the middle of an entry");
      position = next;
    },
  };
}

/** Moves over a stream, which can only be read once. */
export function cursorOverStream(chunks: AsyncIterable<Uint8Array>): ForwardCursor & { end(): Promise<void> } {
  const iterator = chunks[Symbol.asyncIterator]();
  let chunk: Uint8Array = new Uint8Array();
  let position = 0;
  /** Returns bytes of the current chunk; none at the end of the stream. */
  const next = async (most: number): Promise<Uint8Array> => {
    while (chunk.length === 0) {
      const { done, value } = await iterator.next();
      if (done) break;
      chunk = value;
    }
    const part = chunk.subarray(0, most);
    chunk = chunk.subarray(part.length);
    position += part.length;
    return part;
  };
  return {
    get position() {
      return position;
    },
    async take(length) {
      const bytes = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const part = await next(length - filled);
        if (part.length === 0) break;
        bytes.set(part, filled);
        filled += part.length;
      }
      return bytes.subarray(0, filled);
    },
    async skipTo(target) {
      for (let left = target - position; left > 0;) {
        const { length } = await next(left);
        if (length === 0) throw damagedFault("it ends in the middle of an entry");
        left -= length;
      }
    },
    async end() {
      await iterator.return?.();
    },
  };
}
