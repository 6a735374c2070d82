import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 optimise sooner, once a session has shown that it makes more than a few calls. Not from the start: there it
 * would cost more than it saves. docs/decisions/008 has the numbers.
 */
export function createTuner(): () => void {
  let calls = 0;
  return function onCall() {
    calls++;
    if (calls === CALLS_BEFORE && HAS_BUDGET) setFlagsFromString("--interrupt-budget=10000");
  };
}

const CALLS_BEFORE = 20;

/** Newer engines have a compiler between interpreter and optimiser, and no such flag. */
const HAS_BUDGET = process.versions.v8.startsWith("11.");
