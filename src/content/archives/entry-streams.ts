import type { ArchiveEntry } from "./archive-entry.ts";
import { exactly } from "./bounds.ts";
import { cursorOverStream } from "./forward-cursor.ts";

/** Reads the contents of entries, one at a time. */
export interface EntryStreams {
  bytesOf(entry: ArchiveEntry): AsyncIterable<Uint8Array>;
  /** Releases what is open. */
  end(): Promise<void>;
}

/** Reads entries of a stream that can only go forward. Opens it again where an entry lies behind. */
export function entriesOfStream(open: () => AsyncIterable<Uint8Array>): EntryStreams {
  let cursor = cursorOverStream(open());
  async function* range(from: number, size: number): AsyncGenerator<Uint8Array> {
    if (cursor.position > from) {
      await cursor.end();
      cursor = cursorOverStream(open());
    }
    await cursor.skipTo(from);
    for (let left = size; left > 0;) {
      const part = await cursor.take(Math.min(left, STEP));
      if (part.length === 0) return;
      left -= part.length;
      yield part;
    }
  }
  return {
    bytesOf: ({ offset, size }) => exactly(range(offset, size), size),
    end: () => cursor.end(),
  };
}

const STEP = 256 * 1024;

/** Streams a single entry, and releases the rest after it. */
export async function* endedAfter(streams: EntryStreams, entry: ArchiveEntry): AsyncGenerator<Uint8Array> {
  try {
    yield* streams.bytesOf(entry);
  } finally {
    await streams.end();
  }
}
