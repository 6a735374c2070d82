import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { STORE_NAME } from "../../base/product.ts";

/** A place where replaced and deleted things are kept. */
interface FoundStore {
  readonly path: string;
  /** What a folder of it takes, all in it counted. */
  bytesIn(folder: "objects" | "trash"): number;
}

/** The stores that are there: beside our other state, or in a root on another disk. */
export const storesOf = (directories: readonly string[]): readonly FoundStore[] =>
  directories
    .map((directory) => join(directory, STORE_NAME))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
    .map((path) => ({ path, bytesIn: (folder) => bytesIn(join(path, folder)) }));

/** What vanishes or cannot be looked into meanwhile counts as nothing. */
function bytesIn(path: string): number {
  const stats = undefinedOnError(() => lstatSync(path, { throwIfNoEntry: false }));
  if (!stats?.isDirectory()) return stats?.size ?? 0;
  const names = undefinedOnError(() => readdirSync(path)) ?? [];
  return names.reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}

function undefinedOnError<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
