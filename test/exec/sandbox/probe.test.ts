import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { probeSandboxes } from "../../../src/exec/sandbox/probe.ts";
import { needs } from "../../programs.ts";

function directory(): string {
  needs("bwrap", "unshare", "mount", "setpriv");
  const made = mkdtempSync(join(tmpdir(), "probe-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it("finds the same in several processes at once, which share a state", async () => {
  const shared = directory();
  const found = await Promise.all(Array.from({ length: 6 }, () => probeSandboxes(shared)));
  const alone = await probeSandboxes(shared);
  expect(alone.bubblewrap.hasViews).toBe(true);
  expect(found).toEqual(found.map(() => alone));
  expect(readdirSync(shared)).toEqual([]);
});

it("is not disturbed by what a killed process left, and clears it away later", async () => {
  const shared = directory();
  for (const name of ["root", "upper", "work"]) mkdirSync(join(shared, name));
  writeFileSync(join(shared, "output"), "");
  mkdirSync(join(shared, "try-new"));
  for (const name of ["root", "upper", "work", "output"]) utimesSync(join(shared, name), 0, 0);
  expect((await probeSandboxes(shared)).bubblewrap.hasViews).toBe(true);
  expect(readdirSync(shared)).toEqual(["try-new"]);
});
