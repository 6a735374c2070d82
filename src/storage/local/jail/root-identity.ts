import { lstatSync } from "node:fs";
import type { RootIdentity } from "../../root-identity.ts";

/** Identifies a directory by its real path. Returns undefined where there is none that can be reached. */
export function identifyRoot(path: string): RootIdentity | undefined {
  try {
    const stats = lstatSync(path, { bigint: true });
    return stats.isDirectory() ? { path, dev: String(stats.dev), ino: String(stats.ino) } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a root is still the directory that it was. The number of a device holds until the machine starts
 * again; containers that share our state may have other directories at the same path.
 */
export const isSameRoot = (was: RootIdentity, now: RootIdentity | undefined, isSameBoot: boolean): boolean =>
  now?.ino === was.ino && (!isSameBoot || now.dev === was.dev);
