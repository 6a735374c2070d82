import { LIMITS } from "../../base/limits.ts";
import type { Snapshot } from "../writer.ts";
import type { Facts } from "../storage.ts";
import { isOlderThanClockTick } from "./clock-granularity.ts";

/** What was read a moment ago: a change looks at a file when it is planned and when it is made, and reads it once. */
export interface VersionCache {
  /** What it was seen to be in exactly this state; undefined when it has to be read. */
  get(facts: Facts): Snapshot | undefined;
  add(snapshot: Snapshot): void;
}

/**
 * A file that is written to gets other times, but not within one tick of the system's clock: of one that has just been
 * changed nothing is remembered. Nor of any for longer than a call takes: what is written through a mapping shows late.
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

/** The later of its times is in nanoseconds, and changes with everything that happens to a file. */
const changedNs = ({ times }: Facts): bigint => BigInt(times.slice(times.indexOf(":") + 1));
