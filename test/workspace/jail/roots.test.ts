import { renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Holdfast } from "../../../src/faces/sdk/holdfast.ts";
import { serve } from "../../contracts/serve.ts";
import { layout } from "../../layout.ts";

/** Reads a file; returns its text, or the code of the fault. */
async function read(holdfast: Holdfast, path: string): Promise<unknown> {
  const { isError, data } = await holdfast.call("read", { path });
  return isError ? (data["error"] as { code: string }).code : data["content"];
}

const plant = () => layout(["file", "a/file", "../alias => ROOT", "../other/secret", "../via => ."]);

describe("a root given through a link", () => {
  it.each([
    { path: "file", gives: "file" },
    { path: "$UP/ROOT/file", gives: "file" },
    { path: "$UP/alias/file", gives: "file" },
    { path: "$UP/alias/a/../file", gives: "file" },
    { path: "$UP/alias/../ROOT/file", gives: "outside_workspace" },
    { path: "$UP/alias/../other/secret", gives: "outside_workspace" },
    { path: "$UP/aliased/file", gives: "outside_workspace" },
    { path: "$UP/via/ROOT/file", gives: "outside_workspace" },
  ])("reads $path", async ({ path, gives }) => {
    const up = dirname(plant());
    expect(
      await read(
        serve([join(up, "alias")]),
        path.replace("$UP", () => up),
      ),
    ).toBe(gives);
  });

  it("is named as it was given", async () => {
    const up = dirname(plant());
    const { data } = await serve([join(up, "alias")]).call("session", {});
    expect(data["roots"]).toEqual([{ path: join(up, "alias"), read: true, write: true }]);
  });

  it("keeps its real path when the link is changed", async () => {
    const up = dirname(plant());
    const holdfast = serve([join(up, "alias")]);
    symlinkSync("other", join(up, "new"));
    renameSync(join(up, "new"), join(up, "alias"));
    expect(await read(holdfast, join(up, "alias/file"))).toBe("file");
    expect(await read(holdfast, join(up, "alias/secret"))).toBe("not_found");
  });

  it.each([
    { given: ["alias", "ROOT"], path: "alias/file" },
    { given: ["ROOT", "alias"], path: "alias/file" },
    { given: ["alias", "ROOT"], path: "ROOT/file" },
    { given: ["ROOT", "alias"], path: "ROOT/file" },
  ])("given as $given, is found by $path", async ({ given, path }) => {
    const up = dirname(plant());
    const [first = "", second = ""] = given.map((name) => join(up, name));
    expect(await read(serve([first, second]), join(up, path))).toBe("file");
  });
});

describe("several roots", () => {
  const TREE = ["file", "both", "inner/deep", "inner/up => ../file", "../two/both", "../two/only", "../secret"];

  it.each([
    { path: "file", gives: "file" },
    { path: "only", gives: "../two/only" },
    { path: "both", gives: "both" },
    { path: "deep", gives: "inner/deep" },
    { path: "nope", gives: "not_found" },
    { path: "$ROOT/file", gives: "file" },
    { path: "$ROOT/inner/deep", gives: "inner/deep" },
    { path: "$ROOT/inner/up", gives: "file" },
    { path: "inner/../file", gives: "file" },
    { path: "$ROOT/inner/../file", gives: "file" },
    { path: "../two/only", gives: "outside_workspace" },
    { path: "$ROOT/../two/only", gives: "outside_workspace" },
    { path: "$ROOT/../secret", gives: "outside_workspace" },
    { path: "$ROOT/inner/../../secret", gives: "outside_workspace" },
  ])("reads $path", async ({ path, gives }) => {
    const root = layout(TREE);
    const holdfast = serve([root, join(root, "../two"), join(root, "inner")]);
    expect(
      await read(
        holdfast,
        path.replace("$ROOT", () => root),
      ),
    ).toBe(gives);
  });
});
