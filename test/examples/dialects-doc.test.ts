import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transformSync } from "esbuild";
import { expect, it } from "vitest";
import { compress } from "../../src/tools/archives/compress.ts";
import { extract } from "../../src/tools/archives/extract.ts";
import { edit } from "../../src/tools/fs/edit.ts";
import { read } from "../../src/tools/fs/read.ts";
import { blocksOf, newcomer, withPackage } from "./blocks.ts";

const PAGE = "docs/dialects.md";
const COMMANDS = blocksOf(PAGE, "sh").flatMap((block) => block.trimEnd().split("\n"));
const PROGRAMS = blocksOf(PAGE, "ts");

/** The directories that the page speaks of, and a name for each that exists here. */
function places() {
  const { root, env } = newcomer({ "photo.png": "x", "src/a.ts": "", "data/a.txt": "" });
  const made = ["project", "project/data", "project/src", "notes", "archive", "log"];
  for (const name of made) mkdirSync(join(dirname(root), name), { recursive: true });
  const here = (text: string): string =>
    text
      .replaceAll("/path/to/project", root)
      .replaceAll("/srv/archive", join(dirname(root), "archive"))
      .replaceAll("/var/log/app", join(dirname(root), "log"));
  return { root, env, here };
}

it.each(COMMANDS)("runs as it is: %s", (line) => {
  const { root, env, here } = places();
  // A server ends with its input, of which there is none.
  const { status, stderr } = spawnSync("bash", ["-euc", here(line)], { cwd: root, env, input: "", encoding: "utf8" });
  expect([status, stderr]).toEqual([0, stderr]);
});

it.each(PROGRAMS)("runs as it is: %s", (text) => {
  const { root, env, here } = places();
  withPackage(root);
  const { code } = transformSync(`const bytes = new Uint8Array(3);\n${here(text)}`, { loader: "ts" });
  writeFileSync(join(root, "program.mjs"), `${code}\nprocess.exit(0);\n`);
  expect(execFileSync(process.execPath, ["program.mjs"], { cwd: root, env, encoding: "utf8" })).toBe("");
});

/** The tools whose arguments docs/content.md shows, by an argument of each. All others are of `read`. */
const TOOL_BY_ARGUMENT = { edits: edit, archive: extract, paths: compress };

it("docs/content.md shows arguments that the tools take", () => {
  const lines = blocksOf("docs/content.md", "json").flatMap((block) => block.trimEnd().split("\n"));
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) {
    const [, tool = read] = Object.entries(TOOL_BY_ARGUMENT).find(([name]) => line.includes(`"${name}"`)) ?? [];
    const { input } = tool;
    expect(input.safeParse(JSON.parse(line)).error).toBeUndefined();
  }
});
