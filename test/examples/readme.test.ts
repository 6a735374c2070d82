import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import * as library from "../../src/index.ts";
import { run } from "../e2e/bin.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { blocksOf, withPackage } from "./blocks.ts";

const README = "README.md";
/** The pages that the README leads to for more about what it shows. */
const GUIDES = ["clients", "commands", "approvals", "undo", "tool-guide", "typescript"].map(
  (name) => `docs/${name}.md`,
);

/** The commands that end by themselves and name nothing that a reader has to fill in. */
const COMMANDS = [README, ...GUIDES]
  .flatMap((file) => blocksOf(file, "sh"))
  .flatMap((block) => block.split("\n"))
  .map((line) => line.replace(/\s+#.*$/, "").replace(/^node dist\/holdfast\.cjs /, "holdfast "))
  .filter((line) => /^holdfast (policy|config|doctor|jobs|history|trash|audit|approvals|watch|undo)/.test(line))
  .filter((line) => !/[<[]|watch$|undo|team\.jsonc|reset|grants/.test(line));

describe("the commands of the README and its guides run as they are", () => {
  it("there are enough of them", () => expect(COMMANDS.length).toBeGreaterThan(10));

  it.each([...new Set(COMMANDS)])("%s", async (line) => {
    const root = scratch({ "secrets/key.txt": "x\n" });
    const words = [...line.matchAll(/"([^"]*)"|\S+/g)].slice(1).map(([word, quoted]) => quoted ?? word);
    const env = { HOME: dirname(root), HOLDFAST_STATE: stateBeside(root) };
    const { code, err } = await run(words, { cwd: root, env });
    expect([code, err]).toEqual([0, ""]);
  });
});

const CONFIGURATIONS = [README, ...GUIDES, "docs/operating.md", "docs/content.md"].flatMap((file) =>
  blocksOf(file, "jsonc")
    .filter((text) => !text.startsWith("// before"))
    .map((text) => ({ file, text })),
);

it.each(CONFIGURATIONS)("$file shows a configuration that is valid: $text", async ({ text }) => {
  const file = join(scratch({ "builder.jsonc": "{}\n" }), "config.jsonc");
  writeFileSync(file, text);
  const { code, out, err } = await run(["policy", "check", file]);
  expect([code, out + err]).toEqual([0, out + err]);
});

it("the entries for clients name the built program and a directory", () => {
  const json = ["docs/clients.md", "docs/start.md"]
    .flatMap((file) => blocksOf(file, "json"))
    .map((text) => JSON.parse(text));
  const [toml = ""] = blocksOf("docs/clients.md", "toml");
  const servers = [
    ...json.map(({ mcpServers, servers: theirs }) => mcpServers ?? theirs),
    parseToml(toml)["mcp_servers"],
  ];
  expect(servers).toHaveLength(5);
  for (const { holdfast } of servers as readonly { holdfast: { command: string; args: readonly string[] } }[])
    expect([holdfast.command, holdfast.args.slice(0, -1)]).toEqual(["node", ["/path/to/holdfast/dist/holdfast.cjs"]]);
});

/** Runs the first program of a page in a directory of its own, and returns what it printed. */
function printedBy(file: string, root: string): string {
  const project = join(dirname(root), "program");
  withPackage(project);
  const [program = ""] = blocksOf(file, "ts");
  const changing = `import { writeFileSync } from "node:fs";
    setInterval(() => writeFileSync(${JSON.stringify(join(root, "src/main.ts"))}, String(Date.now())), 50).unref();\n`;
  writeFileSync(join(project, "program.mjs"), changing + program.replace("/path/to/project", root));
  return execFileSync(process.execPath, ["program.mjs"], {
    cwd: project,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: dirname(root), HOLDFAST_STATE: stateBeside(root) },
  });
}

it.each([README, "docs/typescript.md"])("the first program of %s runs, and takes back what it did", async (file) => {
  const root = scratch({ "README.md": "teh text\n", "src/main.ts": "" });
  printedBy(file, root);
  expect(readFileSync(join(root, "README.md"), "utf8")).toBe("teh text\n");
  const { out } = await run(["history"], { cwd: root, env: { HOLDFAST_STATE: stateBeside(root) } });
  expect(out).toMatch(/undo[^]*edit/);
});

it("the first program of docs/typescript.md prints what its comments say", () => {
  const printed = printedBy("docs/typescript.md", scratch({ "README.md": "teh text\n", "src/main.ts": "" }));
  expect(printed).toContain("teh text");
  expect(printed).toContain("edit");
  expect(printed).toMatch(/type: 'modify',\s+path: 'src\/main\.ts'/);
});

it("every function that docs/typescript.md names for agent loops is exported", () => {
  const [, loops = ""] = blocksOf("docs/typescript.md", "ts");
  const names = [...loops.matchAll(/^(to\w+|create\w+)\(/gm)].map(([, name = ""]) => name);
  expect(names).toHaveLength(7);
  expect(names.filter((name) => !(name in library))).toEqual([]);
});
