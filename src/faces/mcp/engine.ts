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

/**
 * Limits the heap of a server for many clients. Its young heap may grow: what 200 calls at once allocate is garbage when
 * they are answered, and would be copied into the old heap before. docs/decisions/110 has the numbers.
 */
export const limitOldHeap = (): void => setFlagsFromString(OLD_GROWTH);

/** The old generation grows by 50 % between collections, not by 100 %. */
const OLD_GROWTH = "--heap-growing-percent=50";
/** One thread scavenges the young generation. */
const FLAGS = ["--no-parallel-scavenge", OLD_GROWTH];
