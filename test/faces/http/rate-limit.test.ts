import { expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createRateLimit } from "../../../src/faces/http/rate-limit.ts";

it("passes a burst, then so many per second, for each name", () => {
  let now = 0;
  const take = createRateLimit(() => now);
  const passed = (count: number, name = "one"): number =>
    Array.from({ length: count }, () => take(name)).filter(Boolean).length;
  expect(passed(LIMITS.httpBurst + 5)).toBe(LIMITS.httpBurst);
  expect(passed(5, "other")).toBe(5);
  now += 100;
  expect(passed(LIMITS.httpPerSecond)).toBe(LIMITS.httpPerSecond / 10);
  now += 3_600_000;
  expect(passed(2 * LIMITS.httpBurst)).toBe(LIMITS.httpBurst);
});
