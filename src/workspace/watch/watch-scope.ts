import { childOf, isWithin } from "../../base/paths.ts";
import { OWN_NAMES } from "../../base/product.ts";
import { innermostRoot } from "../../storage/resolve.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { RootName } from "../confine.ts";

/** What a watch is about: one place, and the directories that lead to it, for they may go and come back. */
export interface WatchScope {
  readonly root: SafePath;
  readonly target: SafePath;
  readonly recursive: boolean;
}

/** The scope around a real place: it begins at the innermost root that holds it. */
export function scopeOf(roots: readonly RootName[], target: SafePath, recursive: boolean): WatchScope {
  const { root } = innermostRoot(
    roots.map(({ real }) => real),
    target,
  ) ?? { root: target };
  return { root: root as SafePath, target, recursive };
}

/** Tells which names in a directory are to be known: those on the way to the target, and those in it. */
export function nameFilter({ target, recursive }: WatchScope, directory: SafePath): (name: string) => boolean {
  if (recursive ? isWithin(directory, target) : directory === target) return () => true;
  return (name) => isWithin(target, childOf(directory, name));
}

/** Whether a directory is to be watched itself. */
export const isWatchedDirectory = ({ target, recursive }: WatchScope, directory: SafePath): boolean =>
  isWithin(target, directory) || (recursive && isWithin(directory, target));

/** Whether what happens to a place is told. */
export const isReported = ({ target }: WatchScope, place: SafePath): boolean => isWithin(place, target);

/** Names that only our own unfinished work has: what they stand for is nobody's business. */
export const isOwnTemporary = (name: string): boolean => name.startsWith(OWN_NAMES);
