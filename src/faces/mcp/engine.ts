import { setFlagsFromString } from "node:v8";

/**
 * Lets V8 optimise sooner in a session that makes more than a few calls. Not from the start: there it would optimise what
 * runs once. docs/decisions/008 has the numbers.
 */
export function createTuner(): () => void {
  let calls = 0;
  return function onCall() {
    if (++calls === BUSY_AT && HAS_BUDGET) setFlagsFromString("--interrupt-budget=10000");
  };
}

const BUSY_AT = 20;

/** Newer engines have a compiler between interpreter and optimiser, and no such budget. */
const HAS_BUDGET = process.versions.v8.startsWith("11.");
