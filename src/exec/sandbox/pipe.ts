import { closeSync, constants, mkdtempSync, openSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { createFifos } from "./fifos.ts";
import { namelessDirectory } from "./nameless-file.ts";

/** The two ends of a pipe, as descriptors of this process. */
export interface Pipe {
  readonly read: number;
  readonly write: number;
}

/**
 * Opens a pipe that a program can open anew, by /dev/stdout for example. Node itself makes only sockets, which cannot be
 * opened. FIFOs are made several at once, because that takes a program, and lose their names at once.
 */
export async function openPipe(): Promise<Pipe> {
  if (spare.length === 0) spare.push(...(await makeFifos()));
  // Two commands that start together make twice as many; the line before leaves at least one to each.
  const both = spare.pop() as number;
  try {
    const open = (flags: number): number => openSync(`/proc/self/fd/${both}`, flags);
    return { read: open(constants.O_RDONLY | constants.O_NONBLOCK), write: open(constants.O_WRONLY) };
  } finally {
    closeSync(both);
  }
}

/** Holds FIFOs without a name, each open for reading and writing. */
const spare: number[] = [];
const FIFOS_AT_ONCE = 8;

async function makeFifos(): Promise<readonly number[]> {
  const names = Array.from({ length: FIFOS_AT_ONCE }, (_, at) => `pipe-${at}`);
  const directory = mkdtempSync(join(namelessDirectory(), "holdfast-pipes-"));
  try {
    await createFifos(directory, names);
    return names.map((name) => {
      const path = join(directory, name);
      const both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
      unlinkSync(path);
      return both;
    });
  } finally {
    rmdirSync(directory);
  }
}
