import { setTimeout as sleep } from "node:timers/promises";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { limitYoungHeap } from "../../src/base/young-heap.ts";

const MIB = 2 ** 20;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

it("the young heap grows back after V8 has shrunk it in a pause, and no further", async () => {
  limitYoungHeap();
  await pause();
  expect(youngBytes()).toBeLessThan(2 * MIB);

  work(512);
  expect(youngBytes()).toBeGreaterThan(3 * MIB);
  expect(youngBytes()).toBeLessThan(9 * MIB);
});

/** V8 shrinks the young heap when little was allocated in a while. */
async function pause(): Promise<void> {
  for (let round = 0; round < 100 && youngBytes() >= 2 * MIB; round++) {
    await sleep(100);
    collect();
  }
}

/** Allocates objects that live a little longer, like answers that wait for their reader. */
function work(calls: number): void {
  const live: unknown[] = [];
  for (let call = 0; call < calls; call++) {
    limitYoungHeap();
    live[call % 64] = Array.from({ length: 5000 }, (_, nth) => ({ nth }));
  }
}

function youngBytes(): number {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === "new_space");
  if (!young) throw new Error("V8 has other names for its heap spaces here");
  return young.space_used_size + young.space_available_size;
}
