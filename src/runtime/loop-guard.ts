import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";

/** Refuses a call that was made over and over and always ended the same. One per session. */
export interface LoopGuard {
  check(tool: string, input: unknown): void;
  /** `outcome` is what the caller was told: another outcome is progress, and progress is no loop. */
  learn(tool: string, input: unknown, outcome: string): void;
}

export function createLoopGuard(limit: number = LIMITS.sameCallRepeats): LoopGuard {
  let lastCall = "";
  let lastOutcome: string | undefined;
  let repeats = 0;
  return {
    check(tool, input) {
      const call = keyOf(tool, input);
      if (call !== lastCall) lastOutcome = undefined;
      lastCall = call;
      if (lastOutcome === undefined || repeats < limit) return;
      throw new Fault("loop", `Cannot call "${tool}" again: the same call gave the same answer ${repeats} times`);
    },
    learn(tool, input, outcome) {
      if (keyOf(tool, input) !== lastCall) return;
      repeats = outcome === lastOutcome ? repeats + 1 : 1;
      lastOutcome = outcome;
    },
  };
}

const keyOf = (tool: string, input: unknown): string => `${tool} ${JSON.stringify(input)}`;

/** For callers that repeat on purpose. */
export const noLoopGuard: LoopGuard = { check: () => {}, learn: () => {} };
