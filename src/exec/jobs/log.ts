import { Buffer } from "node:buffer";
import { closeSync, constants, openSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../base/errno.ts";
import { LIMITS } from "../../base/limits.ts";

/** The file that a job writes to. Offsets in it never change: what is no longer kept becomes a hole. */
export interface Log {
  readonly path: string;
  /** Returns the bytes that were ever written. */
  size(): number;
  /** Returns where the hole ends; it begins after the head. 0 while all is kept. */
  holeEnd(): number;
  /** Reads at most `length` bytes. Bytes of the hole are never returned: an offset in it gives nothing. */
  read(from: number, length: number): Buffer;
}

export const LOG_FILE = "log";
const HOLE_FILE = "hole";

/** Opens the log of a new job for its command, which can only append. */
export const openLog = (directory: string): number =>
  openSync(
    join(directory, LOG_FILE),
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
    0o600,
  );

export function logIn(directory: string): Log {
  const path = join(directory, LOG_FILE);
  const size = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const holeEnd = (): number => storedHoleEnd(directory);
  return {
    path,
    size,
    holeEnd,
    read(from, length) {
      const hole = holeEnd();
      if (from >= LIMITS.jobLogHeadBytes && from < hole) return Buffer.alloc(0);
      const end = Math.min(size(), from + length, hole > 0 && from < hole ? LIMITS.jobLogHeadBytes : Infinity);
      return end > from ? readRange(path, from, end - from) : Buffer.alloc(0);
    },
  };
}

/** Notes the hole before it is punched, so that no reader takes its zeros for output. */
export const noteHole = (directory: string, end: number): void =>
  writeFileSync(join(directory, HOLE_FILE), String(end), { mode: 0o600 });

function storedHoleEnd(directory: string): number {
  try {
    return Number(readFileSync(join(directory, HOLE_FILE), "latin1")) || 0;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return 0;
    throw error;
  }
}

function readRange(path: string, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  const file = openSync(path, constants.O_RDONLY);
  try {
    let filled = 0;
    while (filled < length) {
      const count = readSync(file, bytes, filled, length - filled, from + filled);
      // The command itself may have truncated its log.
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}
