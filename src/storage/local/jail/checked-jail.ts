import { type BigIntStats, constants, lstatSync, realpathSync } from "node:fs";
import { Fault } from "../../../base/errors.ts";
import { childOf } from "../../../base/paths.ts";
import { type ResolveStep } from "../../resolve.ts";
import { isMissing } from "../errno.ts";
import { type Handle, isSameInode, type Jail, linkTarget, openIfUnchanged, swappedFault } from "./jail.ts";

/**
 * Creates the jail for systems where no path can be opened relative to a descriptor. Names are checked one by one, and
 * the inodes of the object and of every directory above it are compared again after use. Most swaps are noticed, a fast
 * one may not be: best effort.
 */
export function createCheckedJail(roots: readonly string[]): Jail {
  return {
    containment: "best-effort",
    steps: { roots, openRoot, step, close: () => {} },
    openDirectory,
    openDirectly: () => undefined,
    openDirectoryDirectly: () => undefined,
    openFileDirectly: () => undefined,
    openSubdirectory: () => undefined,
    entries: () => undefined,
    isAt: isUnmoved,
    stats: (handle) => handle.stats as BigIntStats,
    isSameDisk: (one, other) => one.stats?.dev === other.stats?.dev,
    openData: (handle, flags = constants.O_RDONLY) => openIfUnchanged(handle, flags, () => requireSameInode(handle)),
    confirm: requireSameInode,
  };
}

function openRoot(root: string): Handle {
  const stats = lstatSync(root, { bigint: true, throwIfNoEntry: false });
  if (stats?.isDirectory() && realpathSync(root) === root) return { fsPath: root, stats };
  throw new Fault("root_gone", `Cannot use the root ${JSON.stringify(root)}: it was removed or replaced`, { root });
}

function openDirectory(directory: string | Buffer): Handle {
  const stats = lstatSync(directory, { bigint: true });
  if (stats.isDirectory()) return { fsPath: String(directory), rawPath: Buffer.from(directory), stats };
  throw swappedFault();
}

function step(above: Handle, name: string): ResolveStep<Handle> {
  const fsPath = childOf(above.fsPath, name);
  try {
    const stats = lstatSync(fsPath, { bigint: true });
    const handle = { fsPath, stats, parent: above };
    if (stats.isSymbolicLink()) return { kind: "link", handle, target: linkTarget(fsPath) };
    return { kind: stats.isDirectory() ? "directory" : "leaf", handle };
  } catch (error) {
    if (isMissing(error)) return { kind: "missing" };
    throw error;
  }
}

function requireSameInode(handle: Handle): void {
  if (!isUnmoved(handle)) throw swappedFault();
}

function isUnmoved(handle: Handle): boolean {
  for (let at: Handle | undefined = handle; at; at = at.parent) {
    const now = lstatSync(at.fsPath, { bigint: true, throwIfNoEntry: false });
    if (!now || !isSameInode(now, at.stats)) return false;
  }
  return true;
}
