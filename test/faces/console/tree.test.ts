import { describe, expect, it } from "vitest";
import type { NetFile } from "../../../src/faces/console/contract.ts";
import { fiveBlocks, treeNodes } from "../../../src/faces/console/page/files/tree.ts";

const file = (path: string, added = 1, removed = 0): NetFile => ({
  path,
  action: "edited",
  added,
  removed,
  changes: [],
  others: [],
});

const linesOf = (files: readonly NetFile[], closed: readonly string[] = []): readonly string[] =>
  treeNodes(files, new Set(closed)).map(
    ({ name, depth, added, removed }) => `${"  ".repeat(depth)}${name} +${added} -${removed}`,
  );

describe("the tree of files", () => {
  const files = [file("b.ts", 3, 1), file("src/x/a.ts", 2, 2), file("src/c.ts", 1, 0), file("src/x/b.ts", 5, 0)];

  it("has directories first, with the sum of what is below", () => {
    expect(linesOf(files)).toStrictEqual([
      "src/ +8 -2",
      "  x/ +7 -2",
      "    a.ts +2 -2",
      "    b.ts +5 -0",
      "  c.ts +1 -0",
      "b.ts +3 -1",
    ]);
  });

  it("hides what is below a closed directory, not its sum", () => {
    expect(linesOf(files, ["src/x/"])).toStrictEqual(["src/ +8 -2", "  x/ +7 -2", "  c.ts +1 -0", "b.ts +3 -1"]);
  });

  it("keeps a directory that changed as a whole as one row", () => {
    expect(linesOf([file("old/", 0, 388), file("a/b/", 1, 0)])).toStrictEqual([
      "a/ +1 -0",
      "  b/ +1 -0",
      "old/ +0 -388",
    ]);
  });

  it("knows absolute paths", () => {
    expect(linesOf([file("/home/a")])).toStrictEqual(["/ +1 -0", "  home/ +1 -0", "    a +1 -0"]);
  });
});

describe("five blocks", () => {
  it.each<[number, number, string]>([
    [0, 0, "....."],
    [1, 0, "+...."],
    [1, 1, "+-..."],
    [1000, 1, "++++-"],
    [1, 1000, "+----"],
    [97, 19, "++++-"],
    [0, 388, "-----"],
  ])("of +%i -%i", (added, removed, expected) => {
    const signs = { added: "+", removed: "-", none: "." };
    expect(
      fiveBlocks(added, removed)
        .map((block) => signs[block])
        .join(""),
    ).toBe(expected);
  });
});
