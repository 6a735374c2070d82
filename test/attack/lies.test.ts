import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { adminOf } from "../../src/runtime/admin.ts";
import { appOn, callerOf, callerOn, scratch, type Tree } from "../runtime/scratch.ts";
import { patch, textIn } from "./kit.ts";

it("tells the difference to what was really replaced", async () => {
  const root = scratch({ f: "one\ntwo\nthree\n" });
  const app = appOn(root);
  const call = callerOf(app);
  const contents = ["completely\nother\ncontent here\nwith more lines\n", "one\ntwo!\nthree\n"];
  const [, second] = await Promise.all(contents.map((content) => call("write", { path: "f", content })));
  const shown = await adminOf(app.session).diff(String(second?.data["change_id"]));
  expect(shown.files[0]?.diff).toContain("-completely");
  expect(shown.files[0]?.diff).toContain("+two!");
  expect(second?.data["diff"]).toContain("-completely");
});

it("does not say that a directory in use was removed", async () => {
  const root = scratch();
  const call = callerOn(root);
  await call("write", { path: "a/b/c", content: "1" });
  writeFileSync(join(root, "a/x"), "x");
  const { data } = await call("undo");
  expect(existsSync(join(root, "a"))).toBe(true);
  expect(data["files"]).not.toContainEqual({ path: "a", action: "Removed" });
});

it("goes further back when asked twice to undo one path", async () => {
  const root = scratch({ a: "a0\n", b: "b0\n" });
  const call = callerOn(root);
  await call("write", { path: "a", content: "a1\n" });
  const input = patch("*** Update File: a", "@@", "-a1", "+a2", "*** Update File: b", "@@", "-b0", "+b1");
  await call("apply_patch", { input });
  await call("undo", { path: "a" });
  await call("undo", { path: "a" });
  expect(textIn(root, "a")).toBe("a0\n");
});

it("leaves nothing of a copy in a directory that moved meanwhile", async () => {
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, nth) => [`src/f${nth}`, "x"])) as Tree;
  const root = scratch({ ...many, "d/k": "k" });
  const call = callerOn(root);
  const copying = call("copy", { source: "src", destination: "d/copy" });
  while (readdirSync(join(root, "d")).length < 2) await sleep(1);
  await call("move", { source: "d", destination: "e" });
  await copying;
  expect(readdirSync(join(root, "e")).filter((name) => name.startsWith(".holdfast"))).toEqual([]);
});
