import { LIMITS } from "../../base/limits.ts";

/**
 * Returns true when a time, in nanoseconds, is so old that any later change gets another one. Some disks count whole
 * seconds, and FAT every other one.
 */
export function isOlderThanClockTick(changedNs: bigint): boolean {
  const isCoarse = changedNs % NS_PER_SECOND === 0n;
  return Date.now() - Number(changedNs / NS_PER_MS) > (isCoarse ? LIMITS.coarseClockTickMs : LIMITS.clockTickMs);
}

const NS_PER_MS = 1_000_000n;
const NS_PER_SECOND = 1_000_000_000n;
