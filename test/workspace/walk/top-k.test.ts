import fc from "fast-check";
import { expect, it } from "vitest";
import { createTopK } from "../../../src/workspace/walk/top-k.ts";

const inOrder = (a: number, b: number): number => a - b;

it("gives the same as sorting all items and cutting the list", () => {
  const numbers = fc.array(fc.nat(99), { maxLength: 60 });
  fc.assert(
    fc.property(
      numbers,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 400 }),
      fc.nat(50),
      (all, count, length, after) => {
        const topK = createTopK({ count, length, lengthOf: (each: number) => each }, inOrder, (each) => each > after);
        all.forEach(topK.add);
        const later = all.filter((each) => each > after).toSorted(inOrder);
        const fit = later.filter((_, index) => {
          const used = later.slice(0, index + 1).reduce((sum, each) => sum + each, 0);
          return index < count && (index === 0 || used <= length);
        });
        expect(topK.page()).toEqual({ items: fit, rest: later.length - fit.length });
        expect(topK.total).toBe(all.length);
      },
    ),
  );
});
