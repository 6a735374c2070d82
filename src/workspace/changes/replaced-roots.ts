import { isSameRoot, rootAround, type RootIdentity } from "../../storage/root-identity.ts";

/** Returns the directory that has a path now; undefined where there is none. */
export type Identify = (path: string) => RootIdentity | undefined;

/** Checks that a place was in a directory that another one has replaced since, at the same path. */
export type IsReplaced = (roots: readonly RootIdentity[], place: string) => boolean;

/**
 * Creates the check for one reading of the history: it looks at each directory once. Changes of older versions name no
 * roots, and those of other storages no inode: they count as made in what is there now.
 */
export function createReplacedCheck(identify: Identify): IsReplaced {
  const known = new Map<string, RootIdentity | undefined>();
  const now = (path: string): RootIdentity | undefined => {
    if (!known.has(path)) known.set(path, identify(path));
    return known.get(path);
  };
  return function isReplaced(roots, place) {
    const root = rootAround(roots, place);
    return root !== undefined && root.ino !== "" && !isSameRoot(root, now(root.path));
  };
}
