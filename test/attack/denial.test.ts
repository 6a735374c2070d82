import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { callerOn, scratch } from "../runtime/scratch.ts";
import { longestBlock } from "../work.ts";
import { patch, stateOf } from "./kit.ts";

it("lets other calls run while a patch makes 5000 files", async () => {
  const call = callerOn(scratch());
  const input = patch(...Array.from({ length: 5000 }, (_, nth) => [`*** Add File: f${nth}`, "+x"]).flat());
  expect(await longestBlock(() => call("apply_patch", { input }))).toBeLessThan(1000);
});

it("lets other calls run while a tree of 100,000 files is brought back", async () => {
  const root = scratch();
  for (let at = 0; at < 100; at++) {
    mkdirSync(join(root, "w", `${at}`), { recursive: true });
    for (let nth = 0; nth < 1000; nth++) writeFileSync(join(root, "w", `${at}`, `${nth}`), "");
  }
  const call = callerOn(root);
  await call("delete", { path: "w", recursive: true });
  expect(await longestBlock(() => call("restore", { path: "w" }))).toBeLessThan(1000);
});

it.each([
  ["changes", `${JSON.stringify({ record: {} })}\n`, "history", {}],
  ["trash", "null", "restore", { path: "nothing" }],
] as const)("goes on when a file in %s is damaged", async (folder, text, tool, input) => {
  const root = scratch();
  const call = callerOn(root);
  await call("mkdir", { path: "m" });
  mkdirSync(join(stateOf(root), folder), { recursive: true });
  writeFileSync(join(stateOf(root), folder, "zzz"), text);
  expect((await call(tool, input)).text).not.toContain("TypeError");
});
