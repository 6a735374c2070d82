import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { run } from "./bin.ts";

it("doctor lists changes that cannot be rolled back, and gives one up", async () => {
  const root = scratch({ "a.txt": "one\n" });
  const at = { cwd: root, env: { HOLDFAST_STATE: stateBeside(root) } };
  mkdirSync(join(stateBeside(root), "waiting"), { recursive: true });
  const step = { do: "chmod", path: join(root, "a.txt"), identity: "1:1", mode: 0o600, was: 0o644 };
  const lines = [{ roots: [{ path: `${root}/gone`, dev: "1", ino: "1" }] }, { tag: "t1", steps: [step] }];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(stateBeside(root), "waiting", "w1.nobody.0"), text);
  const { out } = await run(["doctor"], at);
  expect(out).toMatch(/^unfinished +none$/m);
  expect(out).toMatch(/^waiting +w1: interrupted .+, missing .+gone; 1 place cannot be changed;/m);
  const given = await run(["doctor", "--give-up", "w1"], at);
  expect([given.code, given.out]).toEqual([0, expect.stringContaining(join(root, "a.txt"))]);
  expect((await run(["doctor"], at)).out).not.toMatch(/^waiting/m);
  expect((await run(["doctor", "--give-up", "w1"], at)).code).toBe(1);
});
