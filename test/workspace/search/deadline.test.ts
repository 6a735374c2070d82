import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtinSearcher } from "../../../src/workspace/search/builtin-searcher.ts";
import { find } from "../../contracts/searcher.ts";
import { scratch } from "../../runtime/scratch.ts";
import { searchingView } from "./searching.ts";

it("the search of a directory also ends in the middle of a large file", async () => {
  const root = scratch();
  writeFileSync(join(root, "large"), "");
  truncateSync(join(root, "large"), 512 * 1024 ** 2);
  const view = searchingView(root, builtinSearcher);
  expect(await find(view, { ms: 50 })).toEqual([expect.stringMatching(/ not searched$/)]);
});
