export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The last moment that a calendar has, and the first one with a minus. */
export const FARTHEST_MS = 8.64e15;

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: HOUR_MS, d: DAY_MS };

/** How long "90s", "10m", "2h" or "1d" is; undefined for what is no such time. */
export function durationIn(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d+) ?([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNIT_MS[unit] as number);
}

/** A file's time for people and models. Some disks hold times that no calendar has: they become the nearest it has. */
export const isoOf = (ms: number): string => new Date(Math.min(FARTHEST_MS, Math.max(-FARTHEST_MS, ms))).toISOString();
