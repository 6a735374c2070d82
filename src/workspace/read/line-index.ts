import { partitionPoint } from "../../base/binary-search.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Facts } from "../../storage/storage.ts";
import type { LineFeed } from "../../text/line-feeds.ts";

/** A known position: line number `line`, counted from 1, starts at `byte`. */
export interface LineMark {
  readonly line: number;
  readonly byte: number;
}

/** Caches the starts of lines in one state of one file, so that no range is counted twice. */
export interface LineIndex {
  /** Returns the last known position at or before a line. */
  before(line: number): LineMark;
  add(mark: LineMark): void;
}

/** Caches what was computed about one state of one file. */
export interface KnownLines {
  /** The encoding, once the start of the file was read. */
  label?: string;
  /** Returns the index for encodings with this kind of line feed. */
  by(feed: LineFeed): LineIndex;
}

/** Caches the line indexes of the last files, as an LRU of `LIMITS.lineIndexFiles`; a changed file starts again. */
export function createLineIndexes(): (facts: Facts) => KnownLines {
  const known = new Map<string, { readonly state: string; readonly lines: KnownLines }>();
  return function linesOf({ identity, size, times }) {
    const state = `${size}:${times}`;
    const last = known.get(identity);
    const entry = last?.state === state ? last : { state, lines: createKnownLines() };
    known.delete(identity);
    known.set(identity, entry);
    if (known.size > LIMITS.lineIndexFiles) known.delete(known.keys().next().value as string);
    return entry.lines;
  };
}

function createKnownLines(): KnownLines {
  const indexes: Partial<Record<LineFeed, LineIndex>> = {};
  return { by: (feed) => (indexes[feed] ??= createLineIndex()) };
}

function createLineIndex(): LineIndex {
  const marks: LineMark[] = [{ line: 1, byte: 0 }];
  return {
    before: (line) => marks[positionOf(marks, line)] as LineMark,
    add(mark) {
      const at = positionOf(marks, mark.line);
      if (marks[at]?.line !== mark.line) marks.splice(at + 1, 0, mark);
    },
  };
}

/** Finds the last mark at or before `line` by binary search; the first mark is the start of the file. */
const positionOf = (marks: readonly LineMark[], line: number): number =>
  Math.max(0, partitionPoint(marks, (mark) => mark.line <= line) - 1);
