import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RuleEntry } from "../../../src/config/rule.ts";
import { appOn, callerOf, scratch } from "../scratch.ts";
import { under } from "./under-rules.ts";

describe("places that no rule can open", () => {
  const FREE: readonly RuleEntry[] = [{ act: ["read", "write", "create", "delete", "move"], decide: "autonomous" }];

  it.each([
    { name: "by its own path", state: (root: string) => join(root, "kept") },
    { name: "through a link", state: (root: string) => join(root, "link", "kept") },
  ])("our own state inside a root is neither shown nor read: $name", async ({ state }) => {
    const root = scratch({ "free.txt": "free", link: { link: "." } });
    const app = appOn(root, {
      stateDirectory: state(root),
      ruleSource: { layers: [{ name: "system", rules: FREE.map((rule) => ({ ...rule, origin: "test" })) }] },
    });
    const caller = callerOf(app);
    await caller("ls");
    await app.close();
    const log = join("kept", String(readdirSync(join(root, "kept"))[0]));
    expect((await caller("ls")).text).not.toContain("kept");
    expect((await caller("tree")).text).not.toContain("kept");
    for (const path of ["kept", log, join("link", log), join(root, log)]) {
      expect((await caller("ls", { path })).code).toBe("denied");
      expect((await caller("stat", { path })).code).toBe("denied");
    }
  });

  it.each([
    { tool: "write", input: { path: ".holdfast.jsonc", content: "{}" } },
    { tool: "write", input: { path: "sub/../.holdfast.jsonc", content: "{}" } },
    { tool: "move", input: { source: "a.txt", destination: ".holdfast.jsonc" } },
    { tool: "copy", input: { source: "a.txt", destination: ".holdfast.jsonc" } },
    { tool: "mkdir", input: { path: ".holdfast.jsonc" } },
    { tool: "apply_patch", input: { input: "*** Begin Patch\n*** Add File: .holdfast.jsonc\n+{}\n*** End Patch" } },
  ])("$tool does not make the file that sets a workspace's limits", async ({ tool, input }) => {
    const { root, caller } = under(FREE, "allowed", { "a.txt": "{}", sub: null });
    const answer = await caller(tool, input);
    expect([answer.code, answer.text]).toEqual([
      "denied",
      expect.stringContaining("it sets the limits of this session"),
    ]);
    expect(existsSync(join(root, ".holdfast.jsonc"))).toBe(false);
  });

  it("nor is it changed, moved or deleted, but it can be read", async () => {
    const { root, caller } = under(FREE, "allowed", { ".holdfast.jsonc": "{}\n" });
    const tries = [
      await caller("write", { path: ".holdfast.jsonc", content: "[]" }),
      await caller("edit", { path: ".holdfast.jsonc", oldText: "{}", newText: "[]" }),
      await caller("move", { source: ".holdfast.jsonc", destination: "x" }),
      await caller("delete", { path: ".holdfast.jsonc" }),
    ];
    expect(tries.map(({ code }) => code)).toEqual(["denied", "denied", "denied", "denied"]);
    expect(readFileSync(join(root, ".holdfast.jsonc"), "utf8")).toBe("{}\n");
    expect((await caller("read", { path: ".holdfast.jsonc" })).text).toBe("{}\n");
  });
});
