import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { find, planted } from "../contracts/searcher.ts";
import { builtinSearcher } from "../../src/workspace/search/builtin-searcher.ts";
import { workFromNow } from "../work.ts";
import { ripgrepSearcher, searchingView } from "../workspace/search/searching.ts";

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Creates a sparse file with text at its start and end. */
function plantHuge(root: string, size: number, ending: string): void {
  const fd = openSync(join(root, "huge.txt"), "w");
  writeSync(fd, "words and words\n".repeat(10_000), 0);
  ftruncateSync(fd, size);
  writeSync(fd, ending, size - ending.length);
  closeSync(fd);
}

describe.each([
  { name: "ripgrep", make: ripgrepSearcher, size: GIB },
  { name: "built-in", make: () => builtinSearcher, size: GIB },
])("$name", ({ make, size }) => {
  it("finds the end of a huge file without reading it into memory", async () => {
    const root = planted({});
    plantHuge(root, size, "\nneedle at the end\n");
    const view = searchingView(root, make());
    const before = process.memoryUsage.rss();
    let most = 0;
    const timer = setInterval(() => void (most = Math.max(most, process.memoryUsage.rss())), 5);
    expect(await find(view, {})).toEqual(["huge.txt:10002:1 needle at the end"]);
    clearInterval(timer);
    expect(Math.max(most, process.memoryUsage.rss()) - before).toBeLessThan(160 * MIB);
  });

  it.each([
    { name: "of ASCII", filler: "x".repeat(18 * MIB), column: 18 * MIB + 1 },
    { name: "of wide characters", filler: "ü😀".repeat(3 * MIB), column: 6 * MIB + 1 },
  ])("counts the column from the start of a very long line: $name", async ({ filler, column }) => {
    const root = planted({ "long.txt": `above\n${filler}needle\n  needle\n` });
    const found = await find(searchingView(root, make()), { lineChars: 6 });
    expect(found.map((each) => each.split(" ")[0])).toEqual([`long.txt:2:${column}`, "long.txt:3:3"]);
  });

  it.each([{ lineChars: 100 }, { lineChars: 0 }])(
    "stops in the middle of a file when it is cancelled: %j",
    async (query) => {
      const root = planted({});
      plantHuge(root, 64 * GIB, "\n");
      const controller = new AbortController();
      const view = searchingView(root, make(), { signal: controller.signal });
      const search = find(view, { path: "huge.txt", pattern: "nee+dle", ...query });
      const spent = workFromNow();
      setTimeout(() => controller.abort(), 100);
      await expect(search).rejects.toThrow("cancelled");
      expect(spent()).toBeLessThan(2000);
    },
  );
});
