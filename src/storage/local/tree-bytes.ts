import { lstatSync, readdirSync } from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { LIMITS } from "../../base/limits.ts";
import { type Checkpoint, createCheckpoint } from "../../base/time-slicing.ts";
import { type Jail, rawEntry } from "./jail/jail.ts";
import type { EntryRef } from "./entry-ref.ts";

/** Adds up the sizes of all files of a tree, through held directories. What cannot be looked into counts for nothing. */
export const treeBytes = (jail: Jail, { at }: EntryRef): Promise<number> =>
  bytesAt(jail, Buffer.from(at), { checkpoint: createCheckpoint({ aborted: false }), depth: 0 });

interface Descent {
  readonly checkpoint: Checkpoint;
  readonly depth: number;
}

async function bytesAt(jail: Jail, at: Buffer, descent: Descent): Promise<number> {
  await descent.checkpoint();
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (stats?.isDirectory() && descent.depth < LIMITS.heldDepth) return bytesIn(jail, at, descent);
  return stats?.isFile() ? stats.size : 0;
}

async function bytesIn(jail: Jail, directory: Buffer, { checkpoint, depth }: Descent): Promise<number> {
  const held = jail.hold(directory);
  try {
    let bytes = 0;
    for (const name of namesIn(held.raw ?? held.reach))
      bytes += await bytesAt(jail, rawEntry(held, name), { checkpoint, depth: depth + 1 });
    return bytes;
  } finally {
    jail.steps.close(held);
  }
}

function namesIn(directory: string | Buffer): readonly Buffer[] {
  try {
    return readdirSync(directory, "buffer");
  } catch (error) {
    if (errnoOf(error) === "EACCES") return [];
    throw error;
  }
}
