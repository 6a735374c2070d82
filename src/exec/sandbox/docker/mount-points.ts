import { mkdirSync, realpathSync, rmdirSync } from "node:fs";
import { errnoOf } from "../../../base/errno.ts";
import { Fault } from "../../../base/errors.ts";
import { parentOf } from "../../../base/paths.ts";
import { mountedAmong } from "../placeholders.ts";

/** Lists the directories that must be made for these to exist, outermost first. */
export function missingDirectories(paths: readonly string[], exists: (path: string) => boolean): readonly string[] {
  const made = new Set<string>();
  for (const path of paths) {
    const chain: string[] = [];
    for (let each = path; !exists(each); each = parentOf(each)) chain.unshift(each);
    for (const each of chain) made.add(each);
  }
  return [...made];
}

/** Makes empty directories to mount on. None is made through a link. */
export function makeMountPoints(directories: readonly string[]): void {
  for (const path of directories) {
    if (realpathSync(parentOf(path)) !== parentOf(path))
      throw new Fault("swapped", `Cannot close ${JSON.stringify(path)}: a directory above it is a link now`, { path });
    try {
      mkdirSync(path, 0o700);
      held.add(path);
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }
}

/** Lists the directories that this process has made to mount on and not removed yet. */
export const heldMountPoints = (): Iterable<string> => held;

const held = new Set<string>();

/**
 * Removes them again, innermost first. One that somebody filled or removed is left as it is, and one that another
 * command has mounted something on: that would be gone with it.
 */
export function removeMountPoints(directories: readonly string[]): void {
  const mounted = mountedAmong(directories);
  for (const path of directories.toReversed()) {
    if (mounted.has(path)) continue;
    try {
      rmdirSync(path);
      held.delete(path);
    } catch {
      // Whatever the reason is, nothing but an empty directory stays.
    }
  }
}
