import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import type { OpenFile } from "../../storage/storage.ts";
import { lineEnd, type LineFeed, lineStart } from "../../text/line-feeds.ts";
import type { LineIndex, LineMark } from "./line-index.ts";

/** Reads bytes at any position. */
export interface ByteSource {
  readonly size: number;
  read(into: Uint8Array, position: number): number | Promise<number>;
  /**
   * Returns up to `length` bytes from `position` on, without a copy where they are in memory. They must not be written
   * to.
   */
  part(position: number, length: number): Promise<Buffer>;
}

/** Reads a file piece by piece, unless its bytes are in memory. */
export function sourceOfFile(file: OpenFile): ByteSource {
  if (file.bytes) return sourceOfBytes(file.bytes);
  const { size } = file.facts;
  return {
    size,
    read: (into, position) => file.read(into, position),
    async part(position, length) {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - position)));
      return bytes.subarray(0, await file.read(bytes, position));
    },
  };
}

/** Serves bytes that are in memory. */
export const sourceOfBytes = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: (into, position) => bytes.copy(into, 0, position),
  part: async (position, length) => bytes.subarray(position, position + length),
});

/** Caches the part that was read last: a range within it is not read again. */
export function withLastPart(source: ByteSource): ByteSource {
  let last: { readonly start: number; readonly bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };
  return {
    size: source.size,
    read: source.read,
    async part(position, length) {
      const from = position - last.start;
      const to = Math.min(position + length, source.size) - last.start;
      if (from >= 0 && to <= last.bytes.length) return last.bytes.subarray(from, to);
      last = { start: position, bytes: await source.part(position, length) };
      return last.bytes;
    },
  };
}

export interface Scan {
  readonly source: ByteSource;
  readonly feed: LineFeed;
  readonly checkpoint: Checkpoint;
  readonly progress: (done: number, total: number) => void;
}

/** Counts lines from the nearest known position to the start of `line`. Ends at the last line when there are fewer. */
export async function findLine(scan: Scan, index: LineIndex, line: number): Promise<LineMark> {
  let at = index.before(line);
  if (at.line === line) return at;
  for await (const { chunk, start } of chunksOf(scan, at.byte)) {
    at = countUpTo(chunk, start, at, line, scan.feed);
    index.add(at);
    if (at.line === line) break;
  }
  return at;
}

/** Counts lines within a chunk; a line that began in an earlier chunk keeps its start. */
function countUpTo(chunk: Buffer, start: number, from: LineMark, line: number, feed: LineFeed): LineMark {
  let count = from.line;
  let last = 0;
  while (count < line) {
    const end = lineEnd(chunk, last, feed);
    if (end < 0) break;
    count++;
    last = end;
  }
  return last === 0 ? from : { line: count, byte: start + last };
}

/** Finds the start of the last `lines` lines. A final line feed ends the last line; it does not begin another. */
export async function findLineFromEnd(scan: Scan, lines: number): Promise<number> {
  const { source, feed, checkpoint } = scan;
  let end = source.size;
  let left = lines;
  while (end > 0) {
    const pause = checkpoint();
    if (pause) await pause;
    const from = Math.max(0, end - LIMITS.stepBytes);
    const chunk = await source.part(from, end - from);
    if (chunk.length < end - from)
      throw new Fault("stale", "Cannot find the end of the file: it was truncated meanwhile");
    let at = end === source.size ? endOfLastLine(chunk, feed) : chunk.length;
    for (at = lineStart(chunk, at, feed); at >= 0; at = lineStart(chunk, at - lineFeedBytes(feed), feed)) {
      if (--left === 0) return end - chunk.length + at;
    }
    end -= chunk.length;
  }
  return 0;
}

const lineFeedBytes = (feed: LineFeed): number => (feed === "byte" ? 1 : 2);
const endOfLastLine = (chunk: Buffer, feed: LineFeed): number =>
  lineStart(chunk, chunk.length, feed) === chunk.length ? chunk.length - lineFeedBytes(feed) : chunk.length;

/** Yields a file from a position on, and reads the next chunk meanwhile. The two buffers are reused: keep no chunk. */
export async function* chunksOf(
  { source, checkpoint, progress }: Omit<Scan, "feed">,
  from: number,
): AsyncGenerator<{ readonly chunk: Buffer; readonly start: number }> {
  const size = Math.max(2, Math.min(LIMITS.scanBytes, source.size - from));
  let [current, next] = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
  let start = from;
  const read = async (into: Buffer, position: number): Promise<number> => source.read(into, position);
  let reading = read(current, start);
  try {
    for (let count = await reading; count > 0; count = await reading) {
      reading = read(next, start + count);
      reading.catch(() => {});
      yield { chunk: current.subarray(0, count), start };
      start += count;
      [current, next] = [next, current];
      progress(start, source.size);
      await checkpoint();
    }
  } finally {
    await reading.catch(() => 0);
  }
}
