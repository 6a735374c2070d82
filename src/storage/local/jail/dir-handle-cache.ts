import { LIMITS } from "../../../base/limits.ts";
import type { Handle, Jail } from "./jail.ts";

/** An open directory, and the path that it was opened at. */
export interface OpenedDirectory {
  readonly handle: Handle;
  readonly path: string;
}

/** Caches directory handles until the next turn of the event loop: as long as a call that waits for nothing. */
export interface DirHandleCache {
  /** Holds the cached directories whose position was checked since our last change. */
  readonly verified: ReadonlyMap<string, Handle>;
  /**
   * Returns a cached directory that is still in place, or opens it. A full cache is closed first when none of its
   * directories is in use.
   */
  find(key: string, inUse: number, open: () => OpenedDirectory): Handle;
  /** Makes the position of every cached directory be checked again before its next use. */
  invalidate(): void;
}

/**
 * Creates a cache of parent directories, because a change reads and acts in one directory many times. Each is opened
 * once, and its position is checked before every act: as safe as a new open, at a quarter of the price. Reads between
 * two acts share one check: they see the open directory in any case, and have no effect without an act. Entries live
 * for one turn at most, because a path may lead to another disk that is mounted over the directory later.
 */
export function createDirHandleCache(jail: Jail): DirHandleCache {
  const byKey = new Map<string, OpenedDirectory>();
  const all: Handle[] = [];
  const verified = new Map<string, Handle>();
  // Without real handles a read goes by the path, and must be checked each time.
  const isKept = jail.containment === "handle";
  const closeAll = (): void => {
    byKey.clear();
    verified.clear();
    for (const handle of all.splice(0)) jail.steps.close(handle);
  };
  const add = (key: string, opened: OpenedDirectory): OpenedDirectory => {
    if (all.length === 0) setImmediate(closeAll);
    all.push(opened.handle);
    byKey.set(key, opened);
    return opened;
  };
  return {
    verified,
    find(key, inUse, open) {
      if (inUse === 0 && all.length >= LIMITS.cachedDirHandles) closeAll();
      const known = byKey.get(key);
      const isInPlace = known !== undefined && jail.isAt(known.handle, known.path);
      const { handle } = isInPlace ? known : add(key, open());
      // Nothing counts as verified in a full cache: the next lookup comes here, and closes it.
      if (all.length >= LIMITS.cachedDirHandles) verified.clear();
      else if (isKept) verified.set(key, handle);
      return handle;
    },
    invalidate: () => verified.clear(),
  };
}
