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
  /** Checks the position of a cached directory. Returns undefined when it is not cached, or is no longer in place. */
  verify(key: string): Handle | undefined;
  /** Takes over a directory that was just opened; it is closed with the others. */
  add(key: string, opened: OpenedDirectory): void;
  /** Makes the position of every cached directory be checked again before its next use. */
  invalidate(): void;
  /** Closes all handles when there are too many. None of them may be in use. */
  limit(): void;
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
  return {
    verified,
    verify(key) {
      const opened = byKey.get(key);
      if (!opened || !jail.isAt(opened.handle, opened.path)) return undefined;
      if (isKept) verified.set(key, opened.handle);
      return opened.handle;
    },
    add(key, opened) {
      if (all.length === 0) setImmediate(closeAll);
      all.push(opened.handle);
      byKey.set(key, opened);
      if (isKept) verified.set(key, opened.handle);
    },
    invalidate: () => verified.clear(),
    limit() {
      if (all.length >= LIMITS.cachedDirHandles) closeAll();
    },
  };
}
