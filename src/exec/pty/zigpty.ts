import { closeSync, constants, openSync, writeFileSync, writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { ReadStream } from "node:tty";
import { LIMITS } from "../../base/limits.ts";
import type { NewTerminal, Terminal } from "./terminal.ts";
import { writeAll } from "./write-all.ts";

/** Opens a terminal by the optional package; returns undefined where that is missing, or has no build for this system. */
export async function openZigpty({ size, logPath, deviceFile }: NewTerminal): Promise<Terminal | undefined> {
  const zigpty = await import("zigpty").catch(() => undefined);
  if (!zigpty?.hasNative) return undefined;
  const { master, slave, pty } = zigpty.open({ cols: size.columns, rows: size.rows });
  writeFileSync(deviceFile, pty, { mode: 0o600 });
  const pump = pumpToLog(master, logPath);
  return {
    kind: "zigpty",
    // Makes the terminal that of the command's session. It needs no other process: it becomes the command.
    streams: { input: slave, output: slave, isTerminal: true, supervisor: ["setsid", "--ctty"] },
    attach(command) {
      closeSync(slave);
      let queue: Promise<unknown> = Promise.resolve();
      return {
        ...command,
        write(bytes) {
          if (bytes !== null) queue = queue.then(() => writeAll(master, bytes)).catch(() => {});
        },
        exited: command.exited.then(async (exit) => {
          await pump.drained();
          return exit;
        }),
      };
    },
    close() {
      closeSync(slave);
      pump.stop();
    },
  };
}

/** Copies what a terminal shows to the log, synchronously, so that a program that prints fast waits for the disk. */
function pumpToLog(master: number, logPath: string) {
  const log = openSync(logPath, constants.O_WRONLY | constants.O_APPEND);
  const reader = new ReadStream(master);
  const closed = new Promise<void>((resolve) => reader.once("close", resolve));
  void closed.then(() => closeSync(log));
  reader.on("data", (bytes: Buffer) => {
    try {
      writeSync(log, bytes);
    } catch {
      // The disk is full: the command goes on without a log, as one whose output nobody keeps.
    }
  });
  // Linux reports the end of a terminal as an error.
  reader.on("error", () => reader.destroy());
  reader.on("end", () => reader.destroy());
  return {
    /** Waits for the last output. A process in the background may keep the terminal open for ever. */
    async drained() {
      await Promise.race([closed, setTimeout(LIMITS.exitGraceMs)]);
      reader.destroy();
      await closed;
    },
    stop: () => void reader.destroy(),
  };
}
