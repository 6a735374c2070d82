import { Buffer } from "node:buffer";
import { closeSync, constants, openSync } from "node:fs";
import { Socket, type SocketConstructorOpts, type OnReadOpts } from "node:net";
import { setTimeout } from "node:timers/promises";
import { LIMITS } from "../../base/limits.ts";
import { writeAll } from "../sandbox/write-all.ts";

/**
 * Copies what a command prints from its pipe to its log, through one buffer: a command that prints fast waits for the
 * disk. Takes the descriptor over.
 */
export function pumpToLog(read: number, logPath: string): { drained(): Promise<void> } {
  const log = openSync(logPath, constants.O_WRONLY | constants.O_APPEND);
  let writing: Promise<void> = Promise.resolve();
  const onread: OnReadOpts = {
    buffer: Buffer.allocUnsafeSlow(PIPE_BYTES),
    callback(count, buffer) {
      // Where the disk is full, the command goes on without a log, as one whose output nobody keeps.
      writing = writeAll(log, buffer.subarray(0, count)).then(() => void reader.resume());
      return false;
    },
  };
  const reader = new Socket({ fd: read, readable: true, writable: false, onread } as SocketConstructorOpts);
  const closed = new Promise<void>((resolve) => reader.once("close", () => resolve()));
  const copied = closed.then(() => writing).finally(() => closeSync(log));
  reader.resume();
  return {
    /** Waits for the last output. What a command leaves running may hold the pipe open, and is read on. */
    async drained() {
      await Promise.race([copied, setTimeout(LIMITS.exitGraceMs)]);
      reader.unref();
    },
  };
}

/** The size of a pipe on Linux. */
const PIPE_BYTES = 64 * 1024;
