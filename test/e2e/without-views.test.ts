import { execFile } from "node:child_process";
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { needs } from "../programs.ts";
import { scratch } from "../runtime/scratch.ts";
import { BIN } from "./bin.ts";

it("asks before a command deletes where nothing can hold its changes back", async () => {
  needs("bwrap");
  const root = scratch({ "a.txt": "a\n" });
  const beside = (name: string): string => join(root, "..", name);
  // A copy of the program finds no optional package, and so cannot list what a command changed on a view.
  cpSync(dirname(BIN), beside("dist"), { recursive: true });
  const rules = [{ act: "delete", path: "**", decide: "approval" }];
  writeFileSync(beside("rules.jsonc"), JSON.stringify({ policy: { rules } }));
  const words = ["call", "exec", '{"command":"rm a.txt"}', "--root", root, "--exec", "full"];
  const more = ["--config", beside("rules.jsonc"), "--state", beside("state"), "--approval-wait", "0"];
  // Only of a program that nobody else can write is it known that it deletes.
  const env = { ...process.env, PATH: "/usr/bin:/bin" };
  const called = promisify(execFile)(process.execPath, [beside("dist/holdfast.cjs"), ...words, ...more], { env });
  await expect(called).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("approv") });
  expect(existsSync(join(root, "a.txt"))).toBe(true);
});
