import { join } from "node:path";
import { expect, it } from "vitest";
import { assertSandboxPath } from "../../src/index.ts";
import { layout } from "../layout.ts";

const TREE = [
  "dir/a",
  "in => dir/a",
  "out => ../secret",
  "nothing => ../none",
  "up => ..",
  "../secret = outside",
  "..b",
];

it.each([
  { filePath: "dir/a", gives: "dir/a" },
  { filePath: ".", gives: "" },
  { filePath: "new/er/file", gives: "new/er/file" },
  { filePath: "dir/../..b", gives: "..b" },
  { filePath: "in", gives: "dir/a" },
  { filePath: "a", cwd: "dir", gives: "dir/a" },
  { filePath: "../dir/a", cwd: "dir", gives: "dir/a" },
  { filePath: "$ROOT/dir/a", gives: "dir/a" },
  { filePath: "out", allowFinalSymlink: true, gives: "out" },
  { filePath: "nothing", allowFinalSymlink: true, gives: "nothing" },
])("leads $filePath inside", async ({ filePath, cwd = ".", allowFinalSymlink = false, gives }) => {
  const root = layout(TREE);
  const found = await assertSandboxPath({
    filePath: filePath.replace("$ROOT", root),
    cwd: join(root, cwd),
    root,
    allowFinalSymlink,
  });
  expect(found).toEqual({ resolved: gives === "" ? root : join(root, gives), relative: gives });
});

it.each([
  { filePath: "../secret" },
  { filePath: "dir/../../secret" },
  { filePath: "/etc/passwd" },
  { filePath: "$ROOT-beside/a" },
  { filePath: "file:///etc/passwd" },
  { filePath: "out" },
  { filePath: "nothing" },
  { filePath: "up/secret" },
  { filePath: "up/secret", allowFinalSymlink: true },
  { filePath: "a", cwd: "../elsewhere" },
])("refuses $filePath", async ({ filePath, cwd = ".", allowFinalSymlink = false }) => {
  const root = layout(TREE);
  const asked = assertSandboxPath({
    filePath: filePath.replace("$ROOT", root),
    cwd: join(root, cwd),
    root,
    allowFinalSymlink,
  });
  await expect(asked).rejects.toMatchObject({ code: "outside_workspace" });
});
