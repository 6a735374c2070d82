import { answerOf, type Code, type Fault } from "../base/errors.ts";

/** Returns the hint of a fault if it is valid in every dialect. Hints that name native tools or arguments are not. */
export const sharedHint = (fault: Fault): string | undefined =>
  SHARED_HINT_CODES.has(fault.code) ? answerOf(fault).hint : undefined;

const SHARED_HINT_CODES: ReadonlySet<Code> = new Set([
  "denied",
  "pending",
  "expired",
  "loop",
  "stale",
  "swapped",
  "busy",
  "conflict",
  "cancelled",
  "timeout",
  "tool_error",
  "io",
] as const);
