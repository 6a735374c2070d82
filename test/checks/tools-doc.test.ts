import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { plant, run } from "./script.ts";

const TOOLS = `
import { z } from "zod";
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const input = z.object({ path: z.string().describe("File to read"), limit: z.int().min(1).max(9).default(5) });
const output = z.object({ files: z.array(z.object({ size: z.int() })) });
export const BUILTIN_TOOLS = [{ name: "read", title: "Read", description: "Reads.", annotations, input, output }];
`;

const LISTS = {
  "src/runtime/tools/profiles.ts":
    'export const PROFILES = { full: 1 };\nexport const GROUPS = new Map([["group:fs", 1]]);\n',
  "src/runtime/tools/match-tool.ts":
    "export const isInProfile = () => true;\nexport const matchesTool = () => false;\n",
};

it("fails until the reference on disk is what the tools say", () => {
  const root = plant({ ...LISTS, "src/tools/index.ts": TOOLS, "docs/tools.md": "# Tools\n" });
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));

  const stale = run("write-tools-doc.mjs", root, "--check");
  expect(stale).toMatchObject({ passed: false, output: expect.stringContaining("docs/tools.md: differs") });

  expect(run("write-tools-doc.mjs", root)).toMatchObject({ passed: true });
  expect(readFileSync(join(root, "docs/tools.md"), "utf8").split("\n")).toEqual(
    expect.arrayContaining(["| `full` | all |", "| `group:fs` | none today |", "## `read`"]),
  );
  expect(run("write-tools-doc.mjs", root, "--check")).toEqual({ passed: true, output: "1 tools\n" });
});

it("fails when there is no tool", () => {
  const root = plant({ ...LISTS, "src/tools/index.ts": "export const BUILTIN_TOOLS = [];\n" });
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  expect(run("write-tools-doc.mjs", root, "--check")).toMatchObject({ passed: false });
});
