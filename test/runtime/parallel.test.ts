import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createHoldfast } from "../../src/faces/sdk/holdfast.ts";
import { callerOn, scratch, stateBeside } from "./scratch.ts";

const COUNT = 64;
const names = Array.from({ length: COUNT }, (_, n) => `file-${n}.txt`);
const small = Object.fromEntries(names.map((name) => [name, `${name}\n`]));
const large = Object.fromEntries(names.map((name) => [name, `${name} is long\n`.repeat(50_000)]));

it.each([
  { name: "small files", tree: small, input: {}, content: (name: string) => `${name}\n` },
  {
    name: "large files from the middle",
    tree: large,
    input: { offset: 40_000, limit: 1 },
    content: (name: string) => `${name} is long\n`,
  },
])("64 calls at once each get their own answer: $name", async ({ tree, input, content }) => {
  const caller = callerOn(scratch(tree));
  const answers = await Promise.all(names.map((path) => caller("read", { path, ...input })));
  expect(answers.map(({ data }) => [data["path"], data["content"]])).toEqual(
    names.map((name) => [name, content(name)]),
  );
});

it("every tool answers beside a call that takes forever", async () => {
  const root = scratch({ "a.txt": "a" });
  writeFileSync(join(root, "endless.txt"), "");
  truncateSync(join(root, "endless.txt"), 256 * 1024 ** 3);
  const caller = callerOn(root);
  const controller = new AbortController();
  const endless = { path: "endless.txt", encoding: "utf-8", offset: 2, limit: 1 };
  const long = caller("read", endless, { signal: controller.signal });
  const others = await Promise.all([
    caller("read", { path: "a.txt" }),
    caller("ls"),
    caller("stat", { path: "a.txt" }),
    caller("tree"),
    caller("session"),
  ]);
  expect(others.map(({ code }) => code)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
  controller.abort();
  expect((await long).code).toBe("cancelled");
});

it("cancelling one call leaves the others alone", async () => {
  const root = scratch({ "long.txt": "x\n".repeat(2_000_000), "a.txt": "a" });
  const holdfast = createHoldfast({ roots: [root], stateDirectory: stateBeside(root) });
  const controller = new AbortController();
  const input = { path: "long.txt", offset: 1_900_000, limit: 1 };
  const cancelled = holdfast.call("read", input, { signal: controller.signal });
  const other = holdfast.call("read", input);
  setImmediate(() => controller.abort());
  expect((await cancelled).data["error"]).toMatchObject({ code: "cancelled" });
  expect((await other).data["content"]).toBe("x\n");
  holdfast.close();
});
