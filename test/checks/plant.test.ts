import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import { run } from "./script.ts";

/** Copies what the program and the reference of the tools are made of. */
function copied(): string {
  const root = mkdtempSync(join(tmpdir(), "planted-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const each of ["src", "docs/tools.md", "package.json", "tsconfig.json"])
    cpSync(resolve(each), join(root, each), { recursive: true });
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  return root;
}

/** Adds one line before the first line that has this text. */
function addLine(file: string, before: string, line: string): void {
  const lines = readFileSync(file, "utf8").split("\n");
  const at = lines.findIndex((each) => each.includes(before));
  writeFileSync(file, lines.toSpliced(at, 0, line).join("\n"));
}

/** Builds the program of a copy and returns a function that runs it. */
function programOf(root: string): (...args: readonly string[]) => string {
  const outfile = join(root, "dist/holdfast.mjs");
  buildSync({
    entryPoints: [join(root, "src/faces/cli/main.ts")],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  const workspace = join(root, "workspace");
  mkdirSync(workspace);
  const env = { ...process.env, HOLDFAST_STATE: join(root, "state"), HOLDFAST_CONFIG: "" };
  return (...args) => execFileSync(process.execPath, [outfile, ...args], { cwd: workspace, env, encoding: "utf8" });
}

const namesIn = (listed: string): readonly string[] =>
  (JSON.parse(listed) as { tools: { name: string }[] }).tools.map(({ name }) => name);

const TOOL = `import * as z from "zod";
import { answer, defineTool, READ_ONLY } from "../tool.ts";

export const greet = defineTool({
  name: "greet",
  title: "Greet",
  description: "Greets by name.",
  annotations: READ_ONLY,
  catalogue: { group: "fs", order: 180, profiles: ["readonly"], subAgent: true },
  input: z.strictObject({ who: z.string() }),
  output: z.object({ greeting: z.string() }),
  plan: async ({ who }) => answer(\`Hello \${who}\`, { greeting: who }),
});
`;

const PROGRAM = `import { createHoldfast, type InventoryRow, INVENTORY, type NativeName, type ToolOutput } from "./src/index.ts";

const holdfast = createHoldfast({ roots: ["."] });
await holdfast.call("greet", { who: "you" });
export const output: ToolOutput<"greet"> = { greeting: "you" };
export const used: NativeName = "greet";
export const row: InventoryRow | undefined = INVENTORY.find(({ name }) => name === "greet");
// @ts-expect-error: the name is a text.
void holdfast.call("greet", { who: 1 });
// @ts-expect-error: there is no such argument.
void holdfast.call("greet", { who: "you", whom: "me" });
`;

/** The compiler reads the whole project, and uses every core. */
const COMPILES = { timeout: 180_000 };

it("a new tool needs its file and one line", COMPILES, () => {
  const root = copied();
  writeFileSync(join(root, "src/tools/fs/greet.ts"), TOOL);
  addLine(join(root, "src/tools/list.ts"), "./fs/grep.ts", 'export { greet } from "./fs/greet.ts";');

  expect(run("write-tools-doc.mjs", root, "--check")).toMatchObject({ passed: false });
  expect(run("write-tools-doc.mjs", root)).toMatchObject({ passed: true });
  const lines = readFileSync(join(root, "docs/tools.md"), "utf8").split("\n");
  const rowOf = (name: string): string | undefined => lines.find((line) => line.startsWith(`| \`${name}\` `));
  expect(lines).toContain("## `greet`");
  expect([rowOf("readonly"), rowOf("group:fs")]).toEqual(Array(2).fill(expect.stringContaining("`greet`")));
  expect([rowOf("minimal"), rowOf("group:openclaw")]).toEqual(Array(2).fill(expect.not.stringContaining("greet")));

  const holdfast = programOf(root);
  expect(namesIn(holdfast("tools", "--json"))).toContain("greet");
  expect(namesIn(holdfast("tools", "--json", "--profile", "readonly"))).toContain("greet");
  expect(namesIn(holdfast("tools", "--json", "--profile", "minimal"))).toEqual(["session"]);
  expect(holdfast("call", "greet", '{"who":"you"}')).toBe("Hello you\n");

  writeFileSync(join(root, "program.ts"), PROGRAM);
  expect(complaintsOf(root, "program.ts")).toBe("");
});

/** Compiles a file of a copy with all that it imports. */
function complaintsOf(root: string, file: string): string {
  const path = join(root, "tsconfig.json");
  const settings = JSON.parse(readFileSync(path, "utf8")) as object;
  writeFileSync(path, JSON.stringify({ ...settings, include: [file] }));
  const tsc = [resolve("node_modules/typescript/bin/tsc"), "--noEmit"];
  return spawnSync(process.execPath, tsc, { cwd: root, encoding: "utf8" }).stdout;
}

const DIALECT = `import * as z from "zod";
import { READ_ONLY } from "../../tools/tool.ts";
import { type Dialect, dialectTool, textAnswer } from "../dialect.ts";

const peek = dialectTool({
  name: "peek",
  title: "Peek",
  description: "Shows a file.",
  annotations: READ_ONLY,
  input: z.strictObject({ file: z.string() }),
  uses: ["read"],
  run: async ({ file }, native) => textAnswer((await native.call("read", { path: file })).content ?? ""),
});

export const planted: Dialect = { name: "planted", tools: [peek], answerFault: ({ message }) => textAnswer(message) };
`;

it("a new dialect needs its folder and one line", COMPILES, () => {
  const root = copied();
  mkdirSync(join(root, "src/dialects/planted"));
  writeFileSync(join(root, "src/dialects/planted/planted.ts"), DIALECT);
  const line = '  planted: async () => (await import("./planted/planted.ts")).planted,';
  addLine(join(root, "src/dialects/load.ts"), "  picoclaw: async", line);

  const holdfast = programOf(root);
  writeFileSync(join(root, "workspace/a.txt"), "text");
  expect(namesIn(holdfast("tools", "--json", "--dialect", "planted"))).toEqual(["peek"]);
  expect(holdfast("call", "peek", '{"file":"a.txt"}', "--dialect", "planted")).toBe("text\n");
  expect(complaintsOf(root, "src/dialects/load.ts")).toBe("");
});
