import fc from "fast-check";
import { expect, it } from "vitest";
import { unifiedDiff } from "../../../src/text/diff/diff.ts";
import { applySplices, type Splice } from "../../../src/text/edit/splice.ts";
import { spliceDiff, touchedDiff } from "../../../src/text/edit/splice-diff.ts";
import { workFromNow } from "../../work.ts";
import { runAtOnce } from "../run-at-once.ts";
import { patched } from "../patch/patched.ts";

/** Few different lines, so that changes stand among their equals. */
const texts = fc
  .array(fc.constantFrom("a\n", "b\n", "\n", "a\r\n", "é"), { maxLength: 120 })
  .map((parts) => parts.join(""));

const cases = texts.chain((text) =>
  fc.record({
    text: fc.constant(text),
    ends: fc.array(fc.nat(text.length), { minLength: 2, maxLength: 6 }),
    fresh: fc.array(fc.constantFrom("", "a\n", "b", "\n", "a\na\n"), { minLength: 3, maxLength: 3 }),
  }),
);

function splicesAt(ends: readonly number[], fresh: readonly string[]): readonly Splice[] {
  const sorted = ends.toSorted((a, b) => a - b);
  return fresh.flatMap((text, index) => {
    const [start, end] = [sorted[2 * index], sorted[2 * index + 1]];
    return start === undefined || end === undefined ? [] : [{ start, end, text, tier: "exact" as const }];
  });
}

it("is the diff of the whole texts", () => {
  fc.assert(
    fc.property(cases, ({ text, ends, fresh }) => {
      const splices = splicesAt(ends, fresh);
      const whole = runAtOnce(unifiedDiff(text, applySplices(text, splices), { path: "f" }));
      expect(runAtOnce(spliceDiff(text, splices, { path: "f" }))).toEqual(whole);
    }),
    { numRuns: 3000 },
  );
});

it("of many places is a patch that makes the same, and counts its lines", () => {
  fc.assert(
    fc.property(cases, ({ text, ends, fresh }) => {
      const splices = splicesAt(ends, fresh).filter(({ start, end, text: own }) => text.slice(start, end) !== own);
      const after = applySplices(text, splices);
      fc.pre(after !== text);
      const whole = { path: "f", mostLines: Infinity, mostBytes: Infinity };
      const { text: diff, added, removed } = runAtOnce(touchedDiff(text, splices, whole));
      expect(patched(text, diff)).toBe(after);
      const rows = diff.split("\n").slice(2);
      expect([added, removed]).toEqual(["+", "-"].map((mark) => rows.filter((row) => row.startsWith(mark)).length));
    }),
    { numRuns: 3000, examples: [[{ text: "b\néé", ends: [0, 0, 0, 2], fresh: ["b", "", ""] }]] },
  );
});

it.each([
  ["in one line", "a".repeat(131_072)],
  ["in the last line", `b\n${"a".repeat(131_072)}\n`],
])("of many places %s costs no pass for each", (_, text) => {
  const splices = Array.from({ length: 65_536 }, (__, index) => {
    const start = text.indexOf("a") + 2 * index;
    return { start, end: start + 2, text: "x", tier: "exact" as const };
  });
  const work = workFromNow();
  const { added, removed } = runAtOnce(spliceDiff(text, splices, { path: "f" }));
  expect([added, removed]).toEqual([1, 1]);
  expect(work()).toBeLessThan(1000);
});
