import * as z from "zod";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { isoOf } from "../base/time.ts";

/** An argument that names a moment. */
export const sinceInput = z.string().max(LIMITS.argumentChars).optional().describe("ISO time");

/** The moment it names. */
export function timeIn(since: string): number {
  const timeMs = Date.parse(since);
  if (!Number.isNaN(timeMs)) return timeMs;
  const example = isoOf(Date.now());
  throw new Fault("invalid_input", `Cannot use since ${JSON.stringify(since)}: give a time such as ${example}`, {
    argument: "since",
  });
}
