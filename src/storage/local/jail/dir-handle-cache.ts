import { LIMITS } from "../../../base/limits.ts";
import { nameIn } from "../../../base/paths.ts";
import type { Place } from "../../writer.ts";
import type { Handle, Jail } from "./jail.ts";

/** Caches directory handles until the next turn of the event loop: as long as a call that waits for nothing. */
export interface DirHandleCache {
  /** Returns the parent directory of a place, if it is cached and still exactly where it is named. */
  get(place: Place): Handle | undefined;
  /** Returns false when the cache is full: then the caller closes the handle. */
  add(place: Place, parent: Handle): boolean;
  /** Makes the position of every cached directory be checked again before its next use. */
  invalidate(): void;
}

/**
 * Creates a cache of parent directories, because a change reads and acts in one directory many times. Each is opened
 * once, and its position is checked before every act: as safe as a new open, at a quarter of the price. Reads between
 * two acts share one check: they see the open directory in any case, and have no effect without an act. Entries live
 * for one turn at most, because a path may lead to another disk that is mounted over the directory later.
 */
export function createDirHandleCache(jail: Jail, pathAbove: (place: Place) => string): DirHandleCache {
  const byPath = new Map<string, Handle>();
  const all: Handle[] = [];
  /** Holds those whose position was checked since our last change. */
  const verified = new Set<Handle>();
  const invalidate = (): void => verified.clear();
  const markVerified = (handle: Handle): void => {
    // Without real handles a read goes by the path, and must be checked each time.
    if (jail.containment === "handle") verified.add(handle);
  };
  const closeAll = (): void => {
    byPath.clear();
    invalidate();
    for (const handle of all.splice(0)) jail.steps.close(handle);
  };
  return {
    get(place) {
      // A name that leads elsewhere is left to the resolver, which refuses it.
      if (SPECIAL_NAMES.has(nameIn(place))) return undefined;
      const above = pathAbove(place);
      const handle = byPath.get(above);
      if (!handle || verified.has(handle)) return handle;
      if (!jail.isAt(handle, above)) return undefined;
      markVerified(handle);
      return handle;
    },
    add(place, parent) {
      if (all.length >= LIMITS.cachedDirHandles) return false;
      if (all.length === 0) setImmediate(closeAll);
      all.push(parent);
      byPath.set(pathAbove(place), parent);
      markVerified(parent);
      return true;
    },
    invalidate,
  };
}

const SPECIAL_NAMES: ReadonlySet<string> = new Set([".", "..", ""]);
