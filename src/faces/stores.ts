import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { STORE_NAME } from "../base/product.ts";
import { createCheckpoint } from "../base/time-slicing.ts";

/** A directory that keeps replaced and deleted files. */
interface FoundStore {
  readonly path: string;
  readonly backups: readonly Backup[];
}

/** A file or directory in a store. */
export interface Backup {
  readonly folder: "objects" | "trash";
  /** Identifies the change set that put it there. */
  readonly tag: string;
  readonly bytes: number;
}

/** Finds the stores that exist: in the state directory, or in a root on another disk. */
export const storesOf = (directories: readonly string[]): readonly FoundStore[] =>
  [...new Set(directories)]
    .map((directory) => join(directory, STORE_NAME))
    .filter((path) => undefinedOnError(() => lstatSync(path))?.isDirectory())
    .map((path) => ({ path, backups: [...backupsIn(path, "objects"), ...backupsIn(path, "trash")] }));

/** Counts the bytes of the history of all workspaces: of its journals, and of the content that stores keep for it. */
export async function historyBytesIn(state: string, stores: readonly string[]): Promise<number> {
  const journals = JOURNALS.map((folder) => join(state, folder));
  const contents = [...new Set([state, ...stores])].map((directory) => join(directory, STORE_NAME, "objects"));
  const checkpoint = createCheckpoint({ aborted: false });
  let bytes = 0;
  for (const folder of [...journals, ...contents])
    for (const name of namesIn(folder)) {
      bytes += bytesIn(join(folder, name));
      const pause = checkpoint();
      if (pause) await pause;
    }
  return bytes;
}

/** Names the folders of the state that hold journals. */
const JOURNALS = ["changes", "pending", "waiting"];

const backupsIn = (store: string, folder: Backup["folder"]): readonly Backup[] =>
  namesIn(join(store, folder)).map((name) => ({
    folder,
    tag: name.slice(0, Math.max(name.indexOf("-"), 0)),
    bytes: bytesIn(join(store, folder, name)),
  }));

/** Counts files that vanish or cannot be read as empty. */
function bytesIn(path: string): number {
  const stats = undefinedOnError(() => lstatSync(path));
  if (!stats?.isDirectory()) return stats?.size ?? 0;
  return namesIn(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}

const namesIn = (directory: string): readonly string[] => undefinedOnError(() => readdirSync(directory)) ?? [];

function undefinedOnError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
