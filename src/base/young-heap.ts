import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Nothing is set before `steadyYoungHeap` was called: who embeds the SDK has a heap of his own. */
let growth: string | undefined;
let nextCheckAt = 0;

/**
 * From now on the young heap of this process does not grow, unless V8 has made it too small to work in. V8 does so in a
 * pause, and would leave it so: to be called again and again. It is cheap.
 */
export function limitYoungHeap(): void {
  const now = performance.now();
  if (now < nextCheckAt) return;
  nextCheckAt = now + CHECK_MS;
  const flag = youngBytes() < ENOUGH_BYTES ? DOUBLING : NO_GROWTH;
  if (growth === flag) return;
  growth = flag;
  setFlagsFromString(growth);
}

/** To be called within long calls, which would let it grow further than it should. */
export function stopYoungHeapGrowth(): void {
  if (growth === DOUBLING) limitYoungHeap();
}

/** To be called when another thread has started: V8 then takes its own growth factor for all of them again. */
export function reapplyYoungHeapLimit(): void {
  if (growth !== undefined) setFlagsFromString(growth);
}

/** What can be allocated before it is swept. */
function youngBytes(): number {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === "new_space");
  return young ? young.space_used_size + young.space_available_size : ENOUGH_BYTES;
}

/** Nearly 4 MB: a part of each page is V8's own. */
const ENOUGH_BYTES = 3.5 * 1024 * 1024;
/** A look takes 4 µs. In this time the heap grows by one or two steps too much at most. */
const CHECK_MS = 5;
const NO_GROWTH = "--semi-space-growth-factor=1";
const DOUBLING = "--semi-space-growth-factor=2";
