import { LIMITS } from "../../base/limits.ts";
import type { Snapshot } from "../writer.ts";
import type { Facts } from "../storage.ts";
import { isOlderThanClockTick } from "./clock-granularity.ts";

/**
 * Caches versions for a moment: a change needs a file's version when it is planned and when it is made, and reads it
 * once.
 */
export interface VersionCache {
  /** Returns the version of exactly this state; undefined when the file must be read. */
  get(facts: Facts): Snapshot | undefined;
  add(snapshot: Snapshot): void;
}

/**
 * Creates a cache keyed by identity, size and times. A file that is written to gets other times, but not within one
 * tick of the system's clock: a file that has just changed is not cached. Nor is any for longer than a call takes,
 * because writes through a memory mapping change the times late.
 */
export function createVersionCache(): VersionCache {
  const recent = new Map<string, { readonly version: string; readonly untilMs: number }>();
  return {
    get(facts) {
      const known = recent.size > 0 ? recent.get(stateOf(facts)) : undefined;
      return known && Date.now() < known.untilMs ? { facts, version: known.version } : undefined;
    },
    add({ facts, version }) {
      if (!isOlderThanClockTick(changedNs(facts))) return;
      if (recent.size >= LIMITS.cachedVersions) recent.clear();
      recent.set(stateOf(facts), { version, untilMs: Date.now() + LIMITS.cachedVersionMs });
    },
  };
}

const stateOf = ({ identity, size, times }: Facts): string => `${identity}:${size}:${times}`;

/** Returns the change time, the second of the two, which changes with everything that happens to a file. */
const changedNs = ({ times }: Facts): bigint => BigInt(times.slice(times.indexOf(":") + 1));
