import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { writeAll } from "../pty/write-all.ts";
import { INPUT_END_FILE, INPUT_FILE } from "./supervisor.ts";

/** Writes to the input of a detached job; null closes it. */
export async function writeInput(directory: string, bytes: Uint8Array | null): Promise<void> {
  const file = openInput(directory, bytes === null ? INPUT_END_FILE : INPUT_FILE);
  try {
    if (bytes !== null && !(await writeAll(file, bytes))) throw closedInput();
  } finally {
    closeSync(file);
  }
}

/** Opens without waiting: without a reader, the input is closed. */
function openInput(directory: string, name: string): number {
  try {
    return openSync(join(directory, name), constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === "ENXIO" || errnoOf(error) === "ENOENT") throw closedInput();
    throw error;
  }
}

export const closedInput = (): Fault =>
  new Fault("conflict", "Cannot write to the command: its standard input is not open", {
    hint: "Start it with an input that stays open (pty or detach), or pass the input in the command itself",
  });
