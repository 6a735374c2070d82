import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 optimise sooner, once a session has shown that it makes more than a few calls. Not from the start: there it
 * would cost more than it saves. docs/decisions/008 has the numbers.
 */
export function createTuner(): () => void {
  let calls = 0;
  return function onCall() {
    calls++;
    if (calls === CALLS_BEFORE) for (const flag of FLAGS) setFlagsFromString(flag);
  };
}

const CALLS_BEFORE = 20;

/** A young heap that stays small, and is swept by one thread. */
const EVERYWHERE = ["--semi-space-growth-factor=1", "--no-parallel-scavenge"];

/** Newer engines have a compiler between interpreter and optimiser, and no such budget. */
const FLAGS = process.versions.v8.startsWith("11.") ? [...EVERYWHERE, "--interrupt-budget=10000"] : EVERYWHERE;
