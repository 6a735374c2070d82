import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { decodingOf } from "../../../src/content/images/engine.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts work that goes on until it is ended, as that of the engine does. */
function startWork() {
  const made: { end?: () => void } = {};
  const ended = new Promise<string>((resolve) => (made.end = () => resolve("shown")));
  const outcome = decodingOf(
    "a",
    () => {},
    () => ended,
  ).catch(({ code }: { code: string }) => code);
  return { outcome, end: () => made.end?.() };
}

describe("decoding that never ends", () => {
  it("keeps its slot, so that threads are left for files; others are told to come back", async () => {
    const stuck = Array.from({ length: LIMITS.imagesAtOnce }, startWork);
    await vi.advanceTimersByTimeAsync(LIMITS.imageMs);
    expect(await Promise.all(stuck.map(({ outcome }) => outcome))).toEqual(stuck.map(() => "too_large"));

    const next = startWork();
    await vi.advanceTimersByTimeAsync(LIMITS.imageMs + 2 * LIMITS.cancelPollMs);
    expect(await next.outcome).toBe("busy");

    stuck[0]?.end();
    await vi.advanceTimersByTimeAsync(1);
    const last = startWork();
    last.end();
    expect(await last.outcome).toBe("shown");
    stuck[1]?.end();
  });

  it("frees its slot when it fails at once", async () => {
    for (let nth = 0; nth <= LIMITS.imagesAtOnce; nth++) {
      const failing = decodingOf(
        "a",
        () => {},
        () => {
          throw new Error("no image");
        },
      );
      await expect(failing).rejects.toMatchObject({ code: "not_text" });
    }
  });
});
