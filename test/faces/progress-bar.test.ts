import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { createProgressBar } from "../../src/faces/cli/progress-bar.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CLEAR = "\r\u001b[K";

/** Runs work on a terminal that keeps what is written. */
function terminal({ isTTY = true, columns = 80, TERM = "xterm" } = {}) {
  const written: string[] = [];
  const stderr = { isTTY, columns, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream;
  const bar = createProgressBar("copy", { stderr: stderr as typeof process.stderr, env: { TERM } });
  return { bar, written };
}

const LONG_MS = LIMITS.progressShownAfterMs;

it.each([
  { name: "a count", done: 1234, total: undefined, line: "copy: 1,234 so far" },
  { name: "a share", done: 1500, total: 3000, line: `copy ${"█".repeat(12)}${"░".repeat(12)}  50 %  1,500 of 3,000` },
  { name: "more than all", done: 5, total: 4, line: `copy ${"█".repeat(24)} 100 %  5 of 4` },
])("draws $name, and clears it", ({ done, total, line }) => {
  const { bar, written } = terminal();
  vi.advanceTimersByTime(LONG_MS);
  bar.report(done, total);
  bar.clear();
  expect(written).toEqual([`${CLEAR}${line}`, CLEAR]);
});

it("draws nothing for short work, and then not more often than is useful", () => {
  const { bar, written } = terminal();
  bar.report(1);
  bar.clear();
  expect(written).toEqual([]);
  vi.advanceTimersByTime(LONG_MS);
  bar.report(2);
  bar.report(3);
  vi.advanceTimersByTime(LIMITS.progressMs);
  bar.report(4);
  expect(written).toEqual([`${CLEAR}copy: 2 so far`, `${CLEAR}copy: 4 so far`]);
});

it.each([{ isTTY: false }, { TERM: "dumb" }])("draws nothing on %o", (where) => {
  const { bar, written } = terminal(where);
  vi.advanceTimersByTime(LONG_MS);
  bar.report(1);
  bar.clear();
  expect(written).toEqual([]);
});

it("never breaks the line of a narrow terminal", () => {
  const { bar, written } = terminal({ columns: 10 });
  vi.advanceTimersByTime(LONG_MS);
  bar.report(1, 2);
  expect(written).toEqual([`${CLEAR}copy █████`]);
});
