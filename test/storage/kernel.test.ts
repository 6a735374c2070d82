import { execFileSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { kernel } from "../../src/storage/local/kernel.ts";
import { layout } from "../layout.ts";

it("does it", () => {
  const root = layout(["a", "b"]);
  const able = kernel();
  expect(able).not.toBeNull();
  writeFileSync(join(root, "a"), "1");
  writeFileSync(join(root, "b"), "2");
  able?.exchange(join(root, "a"), join(root, "b"));
  expect(readFileSync(join(root, "a"), "utf8")).toBe("2");
  expect(() => able?.renameNew(join(root, "a"), join(root, "b"))).toThrow("EEXIST");
  expect(() => able?.renameNew(join(root, "c"), join(root, "d"))).toThrow("ENOENT");
  execFileSync("setfattr", ["-n", "user.x", "-v", "1", join(root, "a")]);
  const fd = openSync(join(root, "b"), "r");
  able?.copyAttributes(join(root, "a"), fd);
  closeSync(fd);
  expect(execFileSync("getfattr", ["-n", "user.x", join(root, "b")], { encoding: "utf8" })).toContain('user.x="1"');
});
