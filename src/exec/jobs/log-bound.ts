import { statSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "../../base/limits.ts";
import { runProgram } from "../spawn.ts";
import { LOG_FILE, logIn, noteHole } from "./log.ts";

/**
 * Punches a hole into the middle of a log that takes too much of the disk. Another program does it, because the kernel
 * needs up to 30 ms, and offsets stay as they are. Returns what the log takes afterwards.
 */
export async function boundLog(directory: string): Promise<number> {
  const { size, blocks } = statSync(join(directory, LOG_FILE));
  const bytes = blocks * BLOCK_BYTES;
  const end = Math.floor((size - LIMITS.jobLogTailBytes) / PAGE_BYTES) * PAGE_BYTES;
  if (bytes <= LIMITS.jobLogBytes || end <= LIMITS.jobLogHeadBytes) return bytes;
  const before = logIn(directory).holeEnd();
  noteHole(directory, end);
  if (await punch(directory, end)) return LIMITS.jobLogHeadBytes + size - end;
  noteHole(directory, before);
  return bytes;
}

/** The unit of `blocks`, and one that every disk can punch. */
const BLOCK_BYTES = 512;
const PAGE_BYTES = 4096;
const PUNCH_MS = 10_000;

/** Returns false where the program is missing, or the disk cannot have holes. */
async function punch(directory: string, end: number): Promise<boolean> {
  const from = LIMITS.jobLogHeadBytes;
  const range = ["--offset", String(from), "--length", String(end - from)];
  const command = { file: "fallocate", args: ["--punch-hole", ...range, LOG_FILE], directory };
  return (await runProgram(command, "", PUNCH_MS)).code === 0;
}
