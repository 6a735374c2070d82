import { setFlagsFromString } from "node:v8";
import { limitYoungHeap } from "../../base/young-heap.ts";

/**
 * Tunes V8 for a session that makes more than one call: its young heap stays small, and after some calls it optimises
 * sooner. Not from the start: that would cost more than it saves, and code that the build keeps while such flags are
 * set is refused at the next start. docs/decisions/008 has the numbers.
 */
export function createTuner(): () => void {
  let calls = 0;
  return function onCall() {
    calls++;
    if (calls >= 2) limitYoungHeap();
    for (const flag of FLAGS.get(calls) ?? []) setFlagsFromString(flag);
  };
}

/** By the call that they are set at. */
const FLAGS: ReadonlyMap<number, readonly string[]> = new Map([
  // The young heap is swept by one thread; the old one may grow by half before it is, which otherwise doubles and more.
  [2, ["--no-parallel-scavenge", "--heap-growing-percent=50"]],
  // Newer engines have a compiler between interpreter and optimiser, and no such budget.
  [20, process.versions.v8.startsWith("11.") ? ["--interrupt-budget=10000"] : []],
]);
