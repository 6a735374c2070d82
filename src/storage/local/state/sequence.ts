import { closeSync, constants, readSync, writeSync } from "node:fs";
import { openOrCreate } from "./own-file.ts";

/**
 * Returns `wanted`, or the next number after the last one in the file, and keeps it there: changes of several processes
 * have one order, whatever their clocks say. A damaged file counts as none.
 */
export function nextNumber(path: string, wanted: number): number {
  const fd = openOrCreate(path, constants.O_RDWR | constants.O_CREAT);
  try {
    const block = Buffer.alloc(DIGITS);
    const last = Number(block.toString("latin1", 0, readSync(fd, block, 0, DIGITS, 0)));
    const next = Math.max(wanted, Number.isSafeInteger(last) ? last + 1 : 0);
    writeSync(fd, String(next).padStart(DIGITS, "0"), 0, "latin1");
    return next;
  } finally {
    closeSync(fd);
  }
}

/** Leaves room for the largest number that is exact. */
const DIGITS = String(Number.MAX_SAFE_INTEGER).length;
