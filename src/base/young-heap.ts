import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Is undefined until `limitYoungHeap` is called: a program that embeds the SDK keeps its own heap settings. */
let growth: string | undefined;
let nextCheckAt = 0;

/**
 * Keeps the young heap of this process from growing, unless V8 has shrunk it too far to work in. V8 shrinks it during
 * an idle pause and would leave it so: call this again and again. It is cheap.
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

/** Is called within long calls, which would let the heap grow further than it should. */
export function stopYoungHeapGrowth(): void {
  if (growth === DOUBLING) limitYoungHeap();
}

/** Returns what can be allocated before a collection. */
function youngBytes(): number {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === "new_space");
  return young ? young.space_used_size + young.space_available_size : ENOUGH_BYTES;
}

/** Is nearly 4 MB: a part of each page is V8's own. */
const ENOUGH_BYTES = 3.5 * 1024 * 1024;
/** Balances the cost of a check, 4 µs, against growth: in this time the heap grows by one or two steps at most. */
const CHECK_MS = 5;
const NO_GROWTH = "--semi-space-growth-factor=1";
const DOUBLING = "--semi-space-growth-factor=2";
