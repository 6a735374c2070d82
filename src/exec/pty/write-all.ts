import { writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";

/** Writes to a pipe or terminal that does not block. Returns false when nobody can read it any more. */
export async function writeAll(file: number, bytes: Uint8Array): Promise<boolean> {
  const deadline = Date.now() + FULL_MS;
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if (CLOSED.includes(errnoOf(error) ?? "")) return false;
      if (errnoOf(error) !== "EAGAIN") throw error;
      if (Date.now() > deadline) throw unreadInput(at);
      await setTimeout(FULL_PAUSE_MS);
    }
  }
  return true;
}

/** Sets how long a full buffer may stay full, and the pause between two attempts. */
const FULL_MS = 2000;
const FULL_PAUSE_MS = 20;
const CLOSED = ["EPIPE", "EIO", "EBADF"];

const unreadInput = (written: number): Fault =>
  new Fault("busy", `Cannot write to the command: it does not read; ${written} bytes were written`, {
    hint: "Wait until it reads its input, then write the rest",
  });
