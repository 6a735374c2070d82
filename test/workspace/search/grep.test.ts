import { join } from "node:path";
import { expect, it } from "vitest";
import { callerOn, scratch } from "../../runtime/scratch.ts";

it("searches every root when no path is given, a nested root only once, page after page", async () => {
  const first = scratch({ a: "needle\nneedle", "inner/b": "needle" });
  const second = scratch({ c: "needle" });
  const caller = callerOn(first, { roots: [second, first, join(first, "inner")] });
  const { data } = await caller("grep", { pattern: "needle" });
  expect(data).toMatchObject({ total_matches: 4, truncated: false });
  const paths: unknown[] = [];
  for (let cursor = undefined, turn = 0; turn < 4; turn++) {
    const page = await caller("grep", { pattern: "needle", limit: 1, ...(cursor !== undefined && { cursor }) });
    paths.push(...(page.data["files"] as { path: string }[]).map(({ path }) => path));
    cursor = page.data["cursor"];
  }
  expect(paths.toSorted()).toEqual([`${first}/a`, `${first}/a`, `${first}/inner/b`, `${second}/c`].toSorted());
});
