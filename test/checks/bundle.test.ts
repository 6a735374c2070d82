import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { plant, type Tree } from "./script.ts";

it("runs a file once, however many chunks import it", async () => {
  const bin = await bundle({
    "counted.ts": `export let count = 0; export const add = () => ++count; console.log("counted");`,
    "both.ts": `console.log("both"); export class Both {}`,
    "one.ts": `import { add, count } from "./counted.ts"; import { Both } from "./both.ts";
      add(); export const one = () => [count, new Both()];`,
    "two.ts": `import { add, count } from "./counted.ts"; import { Both } from "./both.ts";
      export default [add(), count, Both];`,
    "main.ts": `import { add, count } from "./counted.ts";
      async function main() {
        add();
        const { one } = await import("./one.ts");
        const { default: [two, seen, Both] } = await import("./two.ts");
        console.log(two, seen, one()[0], count, one()[1] instanceof Both);
      }
      void main();`,
  });
  expect(run(bin)).toBe("counted\nboth\n3 3 3 3 true\n");
});

it("knows its own place: import.meta.url, the bin in argv, the file in a stack", async () => {
  const program = `console.log(import.meta.url, new Error("here").stack?.split("\\n")[1]);`;
  const bin = await bundle({
    "later.ts": program,
    "main.ts": `console.log(process.argv[1]); ${program} void import("./later.ts");`,
  });
  const [argv, start, later] = run(bin).split("\n");
  expect({ argv, start, later }).toEqual({
    argv: bin,
    start: expect.stringMatching(place("start")),
    later: expect.stringMatching(place("later")),
  });
});

const place = (name: string): RegExp =>
  new RegExp(`^file://.*/chunks/${name}-\\w+\\.cjs .*chunks/${name}-\\w+\\.cjs:\\d+:\\d+`);

it("imports a module that is known only at run time", async () => {
  const bin = await bundle({
    "plugins.ts": `export const load = async (name: string) => (await import(name)).default;`,
    "main.ts": `void import("./plugins.ts").then(async ({ load }) => console.log(await load(process.argv[2])));`,
  });
  const plugin = join(plant({ "plugin.mjs": "export default await 42;" }), "plugin.mjs");
  const { stdout, stderr } = spawnSync(process.execPath, [bin, pathToFileURL(plugin).href], { encoding: "utf8" });
  expect({ stdout, stderr }).toEqual({ stdout: "42\n", stderr: "" });
});

const cut = (cache: Buffer): Buffer => cache.subarray(0, cache.length >> 1);
const damaged = (cache: Buffer): Buffer => cache.fill(0, cache.length >> 1);
const otherNode = `Object.defineProperty(process, "version", { value: "v0.0.0" });`;

it.each([
  { name: "whole", uses: "kept code" },
  { name: "missing", change: () => undefined, uses: "source" },
  { name: "empty", change: () => Buffer.alloc(0), uses: "source" },
  { name: "garbage", change: () => Buffer.from("garbage".repeat(9999)), uses: "source" },
  { name: "cut", change: cut, uses: "source" },
  { name: "damaged inside", change: damaged, uses: "source" },
  { name: "made from another source", source: (text: string) => text.replace("hello", "hullo"), uses: "source" },
  { name: "made by another Node", preload: otherNode, uses: "source" },
  { name: "made under other flags", flags: ["--no-opt"], uses: "refused code" },
])("starts with a code cache that is $name", async ({ change, source, preload = "", flags = [], uses }) => {
  const bin = await bundle({ "main.ts": `console.log("hello");` });
  execFileSync(process.execPath, ["--import", resolve("scripts/bundle/keep-code.mjs"), bin]);
  const start = startOf(bin);
  if (source) writeFileSync(start, source(readFileSync(start, "utf8")));
  if (change) replace(start.replace("cjs", "cache"), change);
  const args = [...flags, "--import", `data:text/javascript,${encodeURIComponent(preload + WATCH)}`, bin];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect({ stdout, stderr, status }).toEqual({ stdout: source ? "hullo\n" : "hello\n", stderr: uses, status: 0 });
});

/** Tells on standard error what the bin runs from. */
const WATCH = `
  import vm from "node:vm";
  vm.Script = class extends vm.Script {
    constructor(source, options) {
      super(source, options);
      process.stderr.write(!options.cachedData ? "source" : this.cachedDataRejected ? "refused code" : "kept code");
    }
  };
`;

function replace(file: string, change: (old: Buffer) => Buffer | undefined): void {
  const changed = change(readFileSync(file));
  if (changed) writeFileSync(file, changed);
  else rmSync(file);
}

const chunks = (bin: string): string => join(bin, "../chunks");
const startOf = (bin: string): string =>
  join(chunks(bin), readdirSync(chunks(bin)).find((name) => /^start-.*\.cjs$/.test(name)) as string);
const run = (bin: string): string => execFileSync(bin, { encoding: "utf8" });

async function bundle(tree: Tree): Promise<string> {
  const root = plant({ "package.json": '{ "type": "module" }', ...tree });
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  const { bundleBin } = await import(pathToFileURL(resolve("scripts/bundle/bundle.mjs")).href);
  const bin = join(root, "dist/holdfast.cjs");
  await bundleBin(bin, join(root, "main.ts"));
  return bin;
}
