import { diffArrays } from "diff";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shortestEdit, UNPAIRED } from "../../../src/text/diff/shortest-edit.ts";
import { runAtOnce } from "../run-at-once.ts";

const pairsOf = (before: readonly number[], after: readonly number[], mostEdits = Infinity): number[] => [
  ...runAtOnce(shortestEdit(Int32Array.from(before), Int32Array.from(after), mostEdits)),
];

const NO = UNPAIRED;

describe("a shortest edit", () => {
  it.each([
    { name: "of nothing", before: [], after: [], pairs: [] },
    { name: "of equal lists", before: [1, 2], after: [1, 2], pairs: [0, 1] },
    { name: "of lists that share nothing", before: [1, 2], after: [3], pairs: [NO, NO] },
    { name: "that only inserts", before: [1, 2], after: [0, 1, 0, 2, 0], pairs: [1, 3] },
    { name: "that only deletes", before: [0, 1, 0, 2, 0], after: [1, 2], pairs: [NO, 0, NO, 1, NO] },
    { name: "from nothing", before: [], after: [1], pairs: [] },
    { name: "that replaces", before: [1, 2, 3], after: [1, 4, 3], pairs: [0, NO, 2] },
  ])("$name", ({ before, after, pairs }) => {
    expect(pairsOf(before, after)).toEqual(pairs);
  });

  it("pairs nothing when it takes more edits than allowed", () => {
    expect(pairsOf([1, 2, 3], [1, 4, 3], 2)).toEqual([0, NO, 2]);
    expect(pairsOf([1, 2, 3], [1, 4, 3], 1)).toEqual([NO, NO, NO]);
  });

  it("keeps the same items as another implementation of the algorithm", () => {
    const items = fc.array(fc.nat(4), { maxLength: 40 });
    fc.assert(
      fc.property(items, items, (before, after) => {
        const pairs: number[] = [];
        let other = 0;
        for (const { added, removed, count } of diffArrays(before, after)) {
          if (!added) for (let at = 0; at < count; at++) pairs.push(removed ? NO : other + at);
          if (!removed) other += count;
        }
        expect(pairsOf(before, after)).toEqual(pairs);
      }),
      { numRuns: 2000 },
    );
  });

  it("pauses on the way", () => {
    const before = Int32Array.from({ length: 20_000 }, (_, at) => at);
    const steps = shortestEdit(before, before.toReversed(), 1000);
    expect([...steps].length).toBeGreaterThan(1);
  });
});
