import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { needs } from "../programs.ts";
import { plant, run } from "./script.ts";

it("fails until the page on disk is what the commands say", () => {
  const root = plant({
    "src/faces/cli/man-page.ts": 'export const manPage = () => ".TH X 1\\n";\n',
    "man/holdfast.1": "old\n",
  });
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  expect(run("write-man-page.mjs", root, "--check")).toMatchObject({
    passed: false,
    output: expect.stringContaining("man/holdfast.1: differs from the commands"),
  });
  expect(run("write-man-page.mjs", root)).toMatchObject({ passed: true });
  expect(readFileSync(join(root, "man/holdfast.1"), "utf8")).toBe(".TH X 1\n");
  expect(run("write-man-page.mjs", root, "--check")).toMatchObject({ passed: true });
});

it("is a page without warnings, which shows every character as it is", () => {
  needs("mandoc");
  const lint = spawnSync("mandoc", ["-T", "lint", "-W", "warning", "man/holdfast.1"], { encoding: "utf8" });
  // It has no date, so that the same commands give the same page.
  expect(lint.stdout + lint.stderr).toMatch(/^mandoc: \S+ WARNING: missing date, using "": TH\n$/);
  const { stdout } = spawnSync("mandoc", ["-T", "ascii", "-O", "width=200", "man/holdfast.1"], { encoding: "utf8" });
  const shown = stdout.split(/.[\b]/).join("");
  for (const text of [
    "holdfast call <tool> '<json>'",
    "-i, --ignore-case",
    "--root <dir>",
    "Environment: HOLDFAST_ROOT.",
  ])
    expect(shown).toContain(text);
});
