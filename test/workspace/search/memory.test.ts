import { expect, it } from "vitest";
import { find } from "../../contracts/searcher.ts";
import { memoryLayout } from "../../layout.ts";
import { builtinSearcher } from "../../../src/workspace/search/builtin-searcher.ts";
import { viewOn } from "../viewing.ts";

it("files in memory are searched like any others", async () => {
  const storage = memoryLayout([
    "a = x needle",
    "s/b = needle",
    "s/c",
    ".h = needle",
    "node_modules/m = needle",
    "link => s",
  ]);
  const [root = ""] = storage.roots;
  const view = viewOn(storage, [{ given: root, real: root }], {}, builtinSearcher);
  expect(await find(view, {})).toEqual(["a:1:3 x needle", "s/b:1:1 needle"]);
  expect(await find(view, { path: "link" })).toEqual(["s/b:1:1 needle"]);
  expect(await find(view, { path: "s/b" })).toEqual(["s/b:1:1 needle"]);
});
