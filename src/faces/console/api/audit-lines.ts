import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

/** A line of the audit log, and where it begins. */
export interface AuditLine {
  readonly text: string;
  readonly at: AuditPosition;
}

/** A place in the audit log: the day of a file, and an offset in it. */
export interface AuditPosition {
  readonly day: string;
  readonly offset: number;
}

/** Yields the whole lines before a position, or all, the newest first. Reads no more than is asked for. */
export function* auditLines(directory: string, before?: AuditPosition): Generator<AuditLine> {
  for (const day of daysIn(directory).toReversed()) {
    if (before && day > before.day) continue;
    yield* linesOfDay(directory, day, before?.day === day ? before.offset : Infinity);
  }
}

export const isEarlier = (one: AuditPosition, other: AuditPosition): boolean =>
  one.day < other.day || (one.day === other.day && one.offset < other.offset);

const DAY = /^audit-(\d{4}-\d{2}-\d{2})\.jsonl$/;

function daysIn(directory: string): readonly string[] {
  if (directory === "") return [];
  const names = readdirSync(directory, { withFileTypes: true });
  return names.flatMap((entry) => (entry.isFile() ? (DAY.exec(entry.name)?.[1] ?? []) : [])).toSorted();
}

function* linesOfDay(directory: string, day: string, end: number): Generator<AuditLine> {
  const file = openSync(join(directory, `audit-${day}.jsonl`), "r");
  try {
    let at = Math.min(end, fstatSync(file).size);
    let rest: Buffer = Buffer.alloc(0);
    while (at > 0) {
      const block = Buffer.alloc(Math.min(BLOCK_BYTES, at));
      at -= block.length;
      readSync(file, block, 0, block.length, at);
      const bytes = Buffer.concat([block, rest]);
      let stop = bytes.length;
      for (let start = lineStart(bytes, stop); start > 0; start = lineStart(bytes, stop)) {
        if (isWhole(bytes, stop)) yield { text: bytes.toString("utf8", start, stop), at: { day, offset: at + start } };
        stop = start;
      }
      rest = bytes.subarray(0, stop);
    }
    if (isWhole(rest, rest.length)) yield { text: rest.toString("utf8"), at: { day, offset: 0 } };
  } finally {
    closeSync(file);
  }
}

const BLOCK_BYTES = 64 * 1024;
const LINE_FEED = 10;

/** Returns the start of the line that ends at `stop`; 0 where it begins before the bytes. */
const lineStart = (bytes: Buffer, stop: number): number => (stop < 2 ? 0 : bytes.lastIndexOf(LINE_FEED, stop - 2) + 1);

/** Leaves out a line that another process is writing. */
const isWhole = (bytes: Buffer, stop: number): boolean => bytes[stop - 1] === LINE_FEED;
