import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Nothing is set before `steadyYoungHeap` was called: who embeds the SDK has a heap of his own. */
let growth: string | undefined;
let looksAgainAt = 0;

/**
 * From now on the young heap of this process does not grow, unless V8 has made it too small to work in. V8 does so in a
 * pause, and would leave it so: to be called again and again. It is cheap.
 */
export function steadyYoungHeap(): void {
  const now = performance.now();
  if (now < looksAgainAt) return;
  looksAgainAt = now + LOOK_MS;
  const wanted = youngBytes() < ENOUGH_BYTES ? TWICE : NEVER;
  if (growth === wanted) return;
  growth = wanted;
  setFlagsFromString(growth);
}

/** To be called within long calls, which would let it grow further than it should. */
export function stopYoungHeap(): void {
  if (growth === TWICE) steadyYoungHeap();
}

/** To be called when another thread has started: V8 then takes its own growth factor for all of them again. */
export function renewYoungHeap(): void {
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
const LOOK_MS = 5;
const NEVER = "--semi-space-growth-factor=1";
const TWICE = "--semi-space-growth-factor=2";
