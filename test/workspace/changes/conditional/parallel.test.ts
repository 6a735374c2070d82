import { describe, expect, it } from "vitest";
import { inParallel } from "../../../../src/base/in-parallel.ts";
import { LIMITS } from "../../../../src/base/limits.ts";
import { memoryObjects } from "../../../../src/storage/objects/memory-objects.ts";
import type { Change } from "../../../../src/workspace/changes/change.ts";
import { at, HOW, shownObjects } from "../../../../src/testing/objects/change-set-fixture.ts";
import { interfered } from "../../../../src/testing/objects/interference.ts";
import { objectScene } from "./object-scene.ts";

const FILES = 100;
const contents = Object.fromEntries(Array.from({ length: FILES }, (_, nth) => [`d/${nth}`, Buffer.from(`${nth}`)]));

/** Makes a change, and returns how many calls it took, and how many of them ran at once. */
async function measured(change: Change) {
  const objects = memoryObjects(contents);
  const calls: Record<string, number> = {};
  let [running, most] = [0, 0];
  const store = interfered(objects, {
    async before({ method }) {
      calls[method] = (calls[method] ?? 0) + 1;
      if (method === "list") return;
      most = Math.max(most, ++running);
      await new Promise((resolve) => void setTimeout(resolve, 1));
    },
    after: () => void running--,
  });
  await objectScene(store).workspace.writing?.commit({ changes: [change] }, HOW);
  return { calls, most, shown: await shownObjects(objects) };
}

describe("a change of many objects", () => {
  it.each([
    { change: { kind: "copy", path: at("d"), to: at("e"), replaces: null }, heads: FILES, left: 2 * FILES },
    { change: { kind: "move", path: at("d"), to: at("e"), replaces: null }, heads: 0, left: FILES },
    { change: { kind: "remove", path: at("d"), into: "trash" }, heads: 0, left: 0 },
  ] as const)("$change.kind asks once for each, and waits for several at once", async ({ change, heads, left }) => {
    const { calls, most, shown } = await measured(change);
    expect(most).toBe(LIMITS.storeCallsAtOnce);
    expect(calls["head"]).toBeLessThan(heads + 10);
    expect(shown).toHaveLength(left);
  });
});

describe("work in parallel", () => {
  it("begins nothing after a failure, and waits for what runs", async () => {
    const [begun, ended]: [number[], number[]] = [[], []];
    const work = inParallel([1, 2, 3, 4, 5], 2, async (nth) => {
      begun.push(nth);
      await new Promise((resolve) => void setTimeout(resolve, nth === 2 ? 1 : 10));
      if (nth === 2) throw new Error("second");
      ended.push(nth);
    });
    await expect(work).rejects.toThrow("second");
    expect([begun, ended]).toEqual([[1, 2], [1]]);
  });
});
