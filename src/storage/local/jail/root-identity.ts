import { lstatSync } from "node:fs";
import type { RootIdentity } from "../../root-identity.ts";

/** Identifies a directory by its real path. Returns undefined where there is none. */
export function identifyRoot(path: string): RootIdentity | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isDirectory() ? { path, dev: String(stats.dev), ino: String(stats.ino) } : undefined;
}

/**
 * Returns whether a root is still the directory that it was. The number of a device holds until the machine starts
 * again; containers that share our state may have other directories at the same path.
 */
export function isSameRoot(root: RootIdentity, isSameBoot: boolean): boolean {
  const now = identifyRoot(root.path);
  return now?.ino === root.ino && (!isSameBoot || now.dev === root.dev);
}
