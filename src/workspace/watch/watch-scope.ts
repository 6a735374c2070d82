import { childOf, isWithin } from "../../base/paths.ts";
import { OWN_NAMES } from "../../base/product.ts";
import { innermostRoot } from "../../storage/resolve.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { RootName } from "../confine.ts";

/** Delimits a watch: the target, and the directories from the root to it, since they may vanish and come back. */
export interface WatchScope {
  readonly root: SafePath;
  readonly target: SafePath;
  readonly recursive: boolean;
}

/** Returns the scope of a real place. It begins at the innermost root that contains the place. */
export function scopeOf(roots: readonly RootName[], target: SafePath, recursive: boolean): WatchScope {
  const { root } = innermostRoot(
    roots.map(({ real }) => real),
    target,
  ) ?? { root: target };
  return { root: root as SafePath, target, recursive };
}

/** Selects the names in a directory that the watch tracks: those on the path to the target, and those in it. */
export function nameFilter({ target, recursive }: WatchScope, directory: SafePath): (name: string) => boolean {
  if (recursive ? isWithin(directory, target) : directory === target) return () => true;
  return (name) => isWithin(target, childOf(directory, name));
}

/** Returns true if the directory itself is watched. */
export const isWatchedDirectory = ({ target, recursive }: WatchScope, directory: SafePath): boolean =>
  isWithin(target, directory) || (recursive && isWithin(directory, target));

/** Returns true if events of the place are reported. */
export const isReported = ({ target }: WatchScope, place: SafePath): boolean => isWithin(place, target);

/** Returns true for names of our own temporary files, which are never reported. */
export const isOwnTemporary = (name: string): boolean => name.startsWith(OWN_NAMES);
