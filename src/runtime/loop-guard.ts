import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";

/** Refuses a call that was made over and over and always ended the same. One per session. */
export interface LoopGuard {
  check(tool: string, input: unknown): void;
  /** `outcome` is what the caller was told: another outcome is progress, and progress is no loop. */
  learn(outcome: string): void;
}

export function createLoopGuard(limit: number = LIMITS.sameCallRepeats): LoopGuard {
  let lastCall = "";
  let lastOutcome = "";
  let repeats = 0;
  return {
    check(tool, input) {
      const call = `${tool} ${JSON.stringify(input)}`;
      if (call !== lastCall) repeats = 0;
      lastCall = call;
      if (repeats < limit) return;
      throw new Fault("loop", `Cannot call "${tool}" again: the same call gave the same answer ${repeats} times`);
    },
    learn(outcome) {
      repeats = outcome === lastOutcome ? repeats + 1 : 1;
      lastOutcome = outcome;
    },
  };
}

/** For callers that repeat on purpose. */
export const noLoopGuard: LoopGuard = { check: () => {}, learn: () => {} };
