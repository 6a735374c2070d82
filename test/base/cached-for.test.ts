import { expect, it, onTestFinished, vi } from "vitest";
import { cachedFor } from "../../src/base/cached-for.ts";

/** Counts how often a cached function really runs; the runs whose number is listed fail. */
function counting(...failing: readonly number[]) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let runs = 0;
  return cachedFor(1000, async () => {
    runs++;
    if (failing.includes(runs)) throw new Error(`run ${runs} failed`);
    return runs;
  });
}

it("keeps a result until its time is over", async () => {
  const count = counting();
  expect([await count(), await count()]).toEqual([1, 1]);
  vi.advanceTimersByTime(1001);
  expect(await count()).toBe(2);
});

it("shares a run that is not over yet", async () => {
  const count = counting();
  expect(await Promise.all([count(), count()])).toEqual([1, 1]);
});

it("does not keep a failure", async () => {
  const count = counting(1);
  await expect(count()).rejects.toThrow("run 1 failed");
  expect(await count()).toBe(2);
});
