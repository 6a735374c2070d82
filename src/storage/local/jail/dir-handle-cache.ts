import { LIMITS } from "../../../base/limits.ts";
import { nameIn } from "../../../base/paths.ts";
import type { Place } from "../../writer.ts";
import type { Handle, Jail } from "./jail.ts";

/** Directories that stay held until the event loop has come round: as long as a call that waits for nothing. */
export interface DirHandleCache {
  /** The directory above a place, if it is held and still exactly where it is named. */
  get(place: Place): Handle | undefined;
  /** False when the caller has to let go himself. */
  add(place: Place, parent: Handle): boolean;
  /** From now on each of them is asked again where it is. */
  invalidate(): void;
}

/**
 * A change looks and acts in one directory many times. It is held once, and asked before every act whether it is still at
 * its place: as safe as a new hold, at a quarter of the price. Looks between two acts ask once: what they see is in the held
 * directory in any case, and nothing comes of it without an act. Not for longer than a turn: what another disk is mounted
 * over still goes by its path.
 */
export function createDirHandleCache(jail: Jail, pathAbove: (place: Place) => string): DirHandleCache {
  const byPath = new Map<string, Handle>();
  const all: Handle[] = [];
  /** Those that were asked since we last changed anything. */
  const verified = new Set<Handle>();
  const invalidate = (): void => verified.clear();
  const markVerified = (handle: Handle): void => {
    // Where nothing can be held, a look goes by the path, and has to ask each time.
    if (jail.containment === "handle") verified.add(handle);
  };
  const closeAll = (): void => {
    byPath.clear();
    invalidate();
    for (const handle of all.splice(0)) jail.steps.close(handle);
  };
  return {
    get(place) {
      // A name that leads elsewhere is left to whoever holds directories, and refused there.
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
