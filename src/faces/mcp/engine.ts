import { setFlagsFromString } from "node:v8";
import { limitYoungHeap } from "../../base/young-heap.ts";

/**
 * Limits the heap of a session that makes more than one call. The flags are not set at the start, because V8 rejects a
 * code cache that was made with other flags, and the build makes one call. docs/decisions/008 has the numbers.
 */
export function createTuner(): () => void {
  let calls = 0;
  return function onCall() {
    calls++;
    if (calls >= 2) limitYoungHeap();
    if (calls === 2) for (const flag of FLAGS) setFlagsFromString(flag);
  };
}

/** One thread scavenges the young generation. The old generation grows by 50 % between collections, not by 100 %. */
const FLAGS = ["--no-parallel-scavenge", "--heap-growing-percent=50"];
