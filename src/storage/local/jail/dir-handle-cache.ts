import { LIMITS } from "../../../base/limits.ts";
import { nameIn } from "../../../base/paths.ts";
import type { Place } from "../../writer.ts";
import type { Handle, Jail } from "./jail.ts";

/** Directories that stay held until the event loop has come round: as long as a call that waits for nothing. */
export interface DirHandleCache {
  /** The directory above a place, if it is held and still exactly where it is named. */
  at(place: Place): Handle | undefined;
  /** False when the caller has to let go himself. */
  keep(place: Place, parent: Handle): boolean;
  /** From now on each of them is asked again where it is. */
  doubt(): void;
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
  const sure = new Set<Handle>();
  const doubt = (): void => sure.clear();
  const trust = (held: Handle): void => {
    // Where nothing can be held, a look goes by the path, and has to ask each time.
    if (jail.containment === "handle") sure.add(held);
  };
  const letGo = (): void => {
    byPath.clear();
    doubt();
    for (const held of all.splice(0)) jail.steps.close(held);
  };
  return {
    at(place) {
      // A name that leads elsewhere is left to whoever holds directories, and refused there.
      if (LEADS_ELSEWHERE.has(nameIn(place))) return undefined;
      const above = pathAbove(place);
      const held = byPath.get(above);
      if (!held || sure.has(held)) return held;
      if (!jail.isAt(held, above)) return undefined;
      trust(held);
      return held;
    },
    keep(place, parent) {
      if (all.length >= LIMITS.heldDirectories) return false;
      if (all.length === 0) setImmediate(letGo);
      all.push(parent);
      byPath.set(pathAbove(place), parent);
      trust(parent);
      return true;
    },
    doubt,
  };
}

const LEADS_ELSEWHERE: ReadonlySet<string> = new Set([".", "..", ""]);
