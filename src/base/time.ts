export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const FARTHEST = 8.64e15;

/** A file's time for people and models. Some disks hold times that no calendar has: they become the nearest it has. */
export const isoOf = (ms: number): string => new Date(Math.min(FARTHEST, Math.max(-FARTHEST, ms))).toISOString();
