import * as z from "zod";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { parseDuration, isoOf } from "../base/time.ts";

/** Accepts a time or an age. */
export const sinceInput = z.string().max(LIMITS.argumentChars).optional().describe("ISO time, or an age such as 10m");

/** Parses an ISO time or an age and returns the milliseconds since the epoch. */
export function timeIn(given: string, argument = "since"): number {
  const nowMs = Date.now();
  const ageMs = parseDuration(given);
  if (ageMs !== undefined) return nowMs - ageMs;
  const timeMs = Date.parse(given);
  if (!Number.isNaN(timeMs)) return timeMs;
  const problem = "give a time such as 2026-01-31T09:30:00Z, or an age such as 90s, 10m, 2h or 1d";
  throw new Fault("invalid_input", `Cannot use ${argument} ${JSON.stringify(given)}: ${problem}`, { argument });
}

/** Replaces an age by its absolute time. A call that waits for approval then means the same changes when it resumes. */
export const fixedTime = (since: string | undefined): string | undefined =>
  since === undefined || parseDuration(since) === undefined ? since : isoOf(timeIn(since));
