import { partitionPoint } from "../../base/binary-search.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Facts } from "../../storage/storage.ts";
import type { LineFeed } from "../../text/lines.ts";

/** A known place: line number `line`, counted from 1, starts at `byte`. */
export interface LineMark {
  readonly line: number;
  readonly byte: number;
}

/** What is known of where lines start in one state of one file, so that no stretch is counted twice. */
export interface LineIndex {
  /** The last known place at or before a line. */
  before(line: number): LineMark;
  add(mark: LineMark): void;
}

/** What was found out about one state of one file. */
export interface KnownLines {
  /** Its encoding, once its start was looked at. */
  label?: string;
  /** Where its lines start, read in an encoding with such line feeds. */
  by(feed: LineFeed): LineIndex;
}

/** Remembers the files asked for last; a file that changed starts anew. */
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

/** The last mark whose line is at most `line`; the first one stands at the start of the file. */
const positionOf = (marks: readonly LineMark[], line: number): number =>
  Math.max(0, partitionPoint(marks, (mark) => mark.line <= line) - 1);
