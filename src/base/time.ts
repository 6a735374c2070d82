export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The latest time that a Date can hold; the earliest is its negative. */
export const MAX_DATE_MS = 8.64e15;

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: HOUR_MS, d: DAY_MS };

/** Parses "90s", "10m", "2h" or "1d"; returns undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d+) ?([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNIT_MS[unit] as number);
}

/** Formats a file's time for people and models. Some disks hold times that no Date can: they are clamped. */
export const isoOf = (ms: number): string => new Date(Math.min(MAX_DATE_MS, Math.max(-MAX_DATE_MS, ms))).toISOString();
