import { LIMITS } from "../../base/limits.ts";

/** Limits requests by name with token buckets. Returns false for a request that comes too soon. */
export type RateLimit = (name: string) => boolean;

export function createRateLimit(nowMs: () => number = Date.now): RateLimit {
  const buckets = new Map<string, { left: number; sinceMs: number }>();
  return function take(name) {
    const now = nowMs();
    const bucket = buckets.get(name) ?? { left: LIMITS.httpBurst, sinceMs: now };
    buckets.set(name, bucket);
    const refilled = bucket.left + ((now - bucket.sinceMs) / 1000) * LIMITS.httpPerSecond;
    bucket.left = Math.min(LIMITS.httpBurst, refilled);
    bucket.sinceMs = now;
    if (bucket.left < 1) return false;
    bucket.left--;
    return true;
  };
}
