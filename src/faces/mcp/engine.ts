import { setFlagsFromString } from "node:v8";
import { limitYoungHeap } from "../../base/young-heap.ts";

/**
 * Tunes V8 for a session that makes more than one call: the young generation stays small, and after some calls the
 * optimizing compiler starts sooner. The flags are not set at start, because that would cost more than it saves, and
 * V8 rejects a code cache that was made with other flags. docs/decisions/008 has the numbers.
 */
export function createTuner(): () => void {
  let calls = 0;
  return function onCall() {
    calls++;
    if (calls >= 2) limitYoungHeap();
    for (const flag of FLAGS.get(calls) ?? []) setFlagsFromString(flag);
  };
}

/** Maps the number of a call to the flags that are set at it. */
const FLAGS: ReadonlyMap<number, readonly string[]> = new Map([
  // One thread scavenges the young generation. The old generation grows by 50 % between collections, not by 100 %.
  [2, ["--no-parallel-scavenge", "--heap-growing-percent=50"]],
  // Newer versions of V8 have a compiler between interpreter and optimizer (Maglev), and no such budget.
  [20, process.versions.v8.startsWith("11.") ? ["--interrupt-budget=10000"] : []],
]);
