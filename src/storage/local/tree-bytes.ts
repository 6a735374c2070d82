import { lstatSync, readdirSync } from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { LIMITS } from "../../base/limits.ts";
import { type Checkpoint, createCheckpoint } from "../../base/time-slicing.ts";
import { type Jail, rawEntry } from "./jail/jail.ts";
import type { EntryRef } from "./entry-ref.ts";

/** Adds up the sizes of all files of a tree, through open directories. Unreadable directories count as nothing. */
export const treeBytes = (jail: Jail, { fsPath }: EntryRef): Promise<number> =>
  bytesAt(jail, Buffer.from(fsPath), { checkpoint: createCheckpoint({ aborted: false }), depth: 0 });

interface TreeWalk {
  readonly checkpoint: Checkpoint;
  readonly depth: number;
}

async function bytesAt(jail: Jail, at: Buffer, walk: TreeWalk): Promise<number> {
  await walk.checkpoint();
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (stats?.isDirectory() && walk.depth < LIMITS.openDepth) return bytesIn(jail, at, walk);
  return stats?.isFile() ? stats.size : 0;
}

async function bytesIn(jail: Jail, directory: Buffer, { checkpoint, depth }: TreeWalk): Promise<number> {
  const handle = jail.openDirectory(directory);
  try {
    let bytes = 0;
    for (const name of namesIn(handle.rawPath ?? handle.fsPath))
      bytes += await bytesAt(jail, rawEntry(handle, name), { checkpoint, depth: depth + 1 });
    return bytes;
  } finally {
    jail.steps.close(handle);
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
