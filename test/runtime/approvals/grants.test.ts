import { mkdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RuleEntry } from "../../../src/config/rule.ts";
import { sessionOn, TREE } from "./approving.ts";
import type { Grant } from "../../../src/runtime/rules/rules.ts";
import { appOn, scratch } from "../scratch.ts";

type Made = readonly [tool: string, input: object];
const MOVED: Made = ["move", { source: "d", destination: "moved" }];
const INNER: RuleEntry = { act: "move", path: "d/e/**", decide: "approval" };

describe.each(["session", "always"] as const)("a yes for %s covers what was asked, and no more", (decision) => {
  it.each<{ name: string; rules: readonly RuleEntry[]; asked: Made; next: Made; code: string }>([
    {
      name: "moving what holds something that is asked for is not reading it",
      rules: [{ ...INNER, act: ["move", "read"] }],
      asked: MOVED,
      next: ["read", { path: "d/e/new.txt" }],
      code: "pending",
    },
    {
      name: "nor making something where it went",
      rules: [INNER, { act: "create", path: "moved/*", decide: "approval", trees: false }],
      asked: MOVED,
      next: ["write", { path: "moved/new.txt", content: "" }],
      code: "pending",
    },
    {
      name: "but moving what is in it",
      rules: [INNER],
      asked: MOVED,
      next: ["move", { source: "d/e/new.txt", destination: "new.txt" }],
      code: "ok",
    },
    {
      name: "making a directory is not making what is in it",
      rules: [
        { act: "create", path: "fresh/**", decide: "approval" },
        { act: "create", path: "fresh", decide: "approval" },
      ],
      asked: ["mkdir", { path: "fresh" }],
      next: ["write", { path: "fresh/a.txt", content: "" }],
      code: "pending",
    },
    {
      name: "listing a directory is not reading what is in it",
      rules: [{ act: "read", path: ["d", "d/**"], decide: "approval" }],
      asked: ["ls", { path: "d" }],
      next: ["read", { path: "d/e/new.txt" }],
      code: "pending",
    },
    {
      name: "deleting a directory is deleting what is in it",
      rules: [{ act: "delete", decide: "approval" }],
      asked: ["delete", { path: "d", recursive: true }],
      next: ["delete", { path: "d/e/new.txt" }],
      code: "ok",
    },
    {
      name: "taking secrets where they are shown is asked for each time",
      rules: [],
      asked: ["move", { source: "prod.env", destination: "prod.txt" }],
      next: ["read", { path: "prod.env" }],
      code: "ok",
    },
  ])("$name", async ({ rules, asked, next, code }) => {
    const root = scratch({ ...TREE, "prod.env": "PASSWORD=hunter2hunter2" });
    const { caller, store } = sessionOn(root, { rules, options: { approvalWaitMs: 0 } });
    expect((await caller(...asked)).code).toBe("pending");
    for (const { id } of store.list()) await store.answer(id, { decision }, "cli");
    expect((await caller(...asked)).code).toBe("ok");
    mkdirSync(join(root, "d/e"), { recursive: true });
    writeFileSync(join(root, "d/e/new.txt"), "new");
    writeFileSync(join(root, "prod.env"), "A=1");
    expect((await caller(...next)).code).toBe(code);
  });
});

it("overwrites no grants that cannot be read", async () => {
  const { grants, stateDirectory } = appOn(scratch({}));
  const file = join(stateDirectory, "grants.json");
  mkdirSync(stateDirectory, { recursive: true });
  symlinkSync("elsewhere.json", file);
  const grant: Grant = { act: "delete", path: ["/a"], roots: ["/"], reason: "allowed", origin: "approval" };
  await expect(grants.add(grant, "always")).rejects.toThrow("something else is named");
  expect(readlinkSync(file)).toBe("elsewhere.json");
  expect(grants.current()).toEqual([]);
});
