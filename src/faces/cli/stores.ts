import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { STORE_NAME } from "../../base/product.ts";

/** A directory that keeps replaced and deleted files. */
interface FoundStore {
  readonly path: string;
  /** Returns the total size of the files in one of its folders. */
  bytesIn(folder: "objects" | "trash"): number;
}

/** Finds the stores that exist: in the state directory, or in a root on another disk. */
export const storesOf = (directories: readonly string[]): readonly FoundStore[] =>
  directories
    .map((directory) => join(directory, STORE_NAME))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
    .map((path) => ({ path, bytesIn: (folder) => bytesIn(join(path, folder)) }));

/** Counts files that vanish or cannot be read as empty. */
function bytesIn(path: string): number {
  const stats = undefinedOnError(() => lstatSync(path, { throwIfNoEntry: false }));
  if (!stats?.isDirectory()) return stats?.size ?? 0;
  const names = undefinedOnError(() => readdirSync(path)) ?? [];
  return names.reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}

function undefinedOnError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
