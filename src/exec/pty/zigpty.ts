import { Buffer } from "node:buffer";
import { closeSync, constants, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";
import { LIMITS } from "../../base/limits.ts";
import { endsWithin } from "../../base/timeout.ts";
import type { NewTerminal, Terminal } from "./terminal.ts";
import { writeAll } from "./write-all.ts";

/** Opens a terminal by the optional package; returns undefined where that is missing, or has no build for this system. */
export async function openZigpty({ size, logPath, deviceFile }: NewTerminal): Promise<Terminal | undefined> {
  const zigpty = await loadZigpty();
  if (!zigpty) return undefined;
  const { master, slave, pty } = zigpty.open({ cols: size.columns, rows: size.rows });
  writeFileSync(deviceFile, pty, { mode: 0o600 });
  const pump = pumpToLog(master, logPath);
  return {
    kind: "zigpty",
    streams: { input: slave, output: slave, isTerminal: true, supervisor: ["/bin/sh", "-c", IN_TERMINAL, "sh", pty] },
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

export const hasZigpty = async (): Promise<boolean> => (await loadZigpty()) !== undefined;

async function loadZigpty() {
  const zigpty = await import("zigpty").catch(() => undefined);
  return zigpty?.hasNative ? zigpty : undefined;
}

/**
 * Opens the terminal anew, by which it becomes that of the session that the command leads, and becomes the command. A
 * descriptor that is passed on does not do that.
 */
const IN_TERMINAL = 'terminal=$1; shift; exec "$@" <>"$terminal" >&0 2>&0';

/** Copies what a terminal shows to the log, synchronously, so that a program that prints fast waits for the disk. */
function pumpToLog(master: number, logPath: string) {
  const log = openSync(logPath, constants.O_WRONLY | constants.O_APPEND);
  const write = (bytes: Uint8Array): void => {
    try {
      writeSync(log, bytes);
    } catch {
      // The disk is full: the command goes on without a log, as one whose output nobody keeps.
    }
  };
  const reader = new ReadStream(master);
  const closed = new Promise<void>((resolve) => reader.once("close", resolve));
  void closed.then(() => closeSync(log));
  reader.on("data", write);
  reader.on("end", () => {
    copyRest(master, write);
    reader.destroy();
  });
  // Linux reports the end of a terminal as an error.
  reader.on("error", () => reader.destroy());
  return {
    /** Waits for the last output. A process in the background may keep the terminal open for ever. */
    async drained() {
      await endsWithin(LIMITS.exitGraceMs, closed);
      reader.destroy();
      await closed;
    },
    stop: () => void reader.destroy(),
  };
}

/** Reads what Node leaves in a terminal that was hung up: it takes the first short read for the last one. */
function copyRest(master: number, write: (bytes: Uint8Array) => void): void {
  const buffer = Buffer.allocUnsafe(LIMITS.stepBytes);
  for (;;) {
    const count = readOrNothing(master, buffer);
    if (count === 0) return;
    write(buffer.subarray(0, count));
  }
}

/** Returns 0 at the end, which Linux reports as an error. */
function readOrNothing(master: number, buffer: Buffer): number {
  try {
    return readSync(master, buffer);
  } catch {
    return 0;
  }
}
