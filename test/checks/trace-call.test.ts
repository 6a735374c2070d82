import { transformSync } from "esbuild";
import { fork } from "node:child_process";
import { on } from "node:events";
import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { plant, run } from "./script.ts";

interface Node {
  readonly name: string;
  readonly file: string;
  readonly times: number;
  readonly below: readonly Node[];
}

it("traces a read of the real program from the wire to the plan and back", () => {
  const { passed, output } = run("trace-call.mjs", ".", "--tool", "read", "--json");
  if (!passed) throw new Error(output);
  const { tool, counts, walk } = JSON.parse(output);
  const nodes = nodesOf(walk);
  const counted = nodes.filter(({ file }) => !/^(base|text)\//.test(file));

  expect(tool).toBe("read");
  expect(counts.entries).toBe(counted.reduce((sum, { times }) => sum + times, 0));
  expect(new Set(nodes.filter((node) => node !== walk))).toEqual(new Set(counted.filter((node) => node !== walk)));
  expect(counts.functions).toBeGreaterThan(50);
  expect(counts.functions).toBeLessThanOrEqual(counts.entries);
  expect(pathTo(walk, "plan", "tools/")).toEqual(expect.arrayContaining(["call", "plan"]));
  expect(counts.framesToPlan).toBeGreaterThan(0);
  expect(counts).toMatchObject({ often: expect.any(Array), forwarding: expect.any(Array), upward: expect.any(Array) });
});

it("refuses a tool that it has no call for", () => {
  expect(run("trace-call.mjs", ".", "--tool", "chmod")).toMatchObject({
    passed: false,
    output: expect.stringContaining("--tool is one of read, edit, move"),
  });
});

it.runIf(process.platform === "linux")("fails where the document shows another walk than calls take", () => {
  const root = plant({ "docs/walk.md": readFileSync("docs/walk.md", "utf8").replace("planAndPerform", "planOnly") });
  for (const name of ["src", "node_modules", "package.json"]) symlinkSync(resolve(name), join(root, name));
  expect(run("trace-call.mjs", root, "--check")).toMatchObject({
    passed: false,
    output: expect.stringMatching(/^docs\/walk\.md:\d+: differs from what calls do/),
  });
});

const PROGRAM = `
const ready = <T,>(value: T): Promise<T> => new Promise((resolve) => setImmediate(resolve, value));
const leaf = (value: number): number => value + 1;
function* numbers(): Generator<number> { yield leaf(1); yield leaf(2); }
async function* later() { for (const each of numbers()) yield await ready(each); }
const object = {
  base: 10,
  get size() { return leaf(this.base); },
  async plan(this: { base: number }, { by = 1 } = {}) { await ready(0); return leaf(this.base * by); },
  nothing() {},
};
const forwarded = (value: number) => leaf(value);
const put = async () => { setTimeout(() => leaf(0), 0); };
async function call(): Promise<unknown[]> {
  const all: unknown[] = [object.size, forwarded(4), object.nothing(), await object.plan({ by: 2 })];
  for await (const each of later()) all.push(each);
  await put();
  return all;
}
process.stdin.resume();
process.on("message", (message) => { if (message === "go") void call().then((all) => process.send?.({ all })); });
process.send?.("ready");
`;

describe("an instrumented program", () => {
  it("does the same, and each function stands below the one that called it, over awaits and yields", async () => {
    const { instrument } = await script("trace-instrument.mjs");
    const { walkOf, countsOf } = await script("trace-walk.mjs");
    const functions: unknown[] = [];
    const { code } = transformSync(instrument(PROGRAM, "tools/all.ts", functions), { loader: "ts", format: "esm" });
    const { all, entries } = await recorded(join(plant({ "all.mjs": code }), "all.mjs"));

    expect(all).toEqual([11, 5, null, 21, 2, 3]);
    const walk = walkOf(entries, functions);
    expect(drawn(walk)).toEqual([
      "call",
      " size",
      "  leaf",
      " forwarded",
      "  leaf",
      " nothing",
      " plan",
      "  ready",
      "  leaf",
      " later",
      "  numbers",
      "   leaf ×2",
      "  ready ×2",
      " put",
    ]);
    expect(() => countsOf(walk, "src")).toThrow("no call of runtime/ leads to plan");
  });

  it("is counted: entries, repeats, frames to the plan, functions that only forward, calls upward", async () => {
    const { walkOf, countsOf } = await script("trace-walk.mjs");
    const functions = [
      { name: "call", file: "runtime/a.ts" },
      { name: "between", file: "runtime/a.ts", forwards: true },
      { name: "quote", file: "text/b.ts" },
      { name: "plan", file: "tools/c.ts" },
      { name: "other", file: "runtime/a.ts" },
    ];
    const often = Array.from({ length: 7 }, () => [4, 3]);
    const src = plant({
      "runtime/a.ts": 'import "../tools/c.ts";',
      "tools/c.ts": 'import "../text/b.ts";',
      "text/b.ts": "",
    });
    expect(
      countsOf(walkOf([[4, -1], [0, -1], [1, 1], [2, 2], [3, 3], ...often.map(([id]) => [id, 4])], functions), src),
    ).toEqual({
      entries: 10,
      functions: 4,
      framesToPlan: 1,
      often: [{ name: "other", file: "runtime/a.ts", times: 7 }],
      forwarding: [{ name: "between", file: "runtime/a.ts", times: 1 }],
      upward: ["quote (text/b.ts) → plan (tools/c.ts)", "plan (tools/c.ts) → other (runtime/a.ts)"],
    });
  });
});

const script = (name: string) => import(pathToFileURL(resolve("scripts", name)).href);

async function recorded(file: string): Promise<{ all: unknown; entries: unknown }> {
  const program = fork(file, {
    stdio: ["pipe", "inherit", "inherit", "ipc"],
    execArgv: ["--import", pathToFileURL(resolve("scripts/trace-hook.mjs")).href],
  });
  const messages = on(program, "message", { close: ["exit"] });
  const next = async () => (await messages.next()).value[0];
  const ask = (message: string) => (program.send(message), next());
  await next();
  await ask("record");
  await ask("go");
  const { all } = await next();
  const entries = await ask("stop");
  program.kill();
  return { all, entries };
}

const nodesOf = (node: Node): readonly Node[] => [node, ...node.below.flatMap(nodesOf)];

const drawn = ({ name, times, below }: Node, depth = 0): readonly string[] => [
  " ".repeat(depth) + name + (times > 1 ? ` ×${times}` : ""),
  ...below.flatMap((each) => drawn(each, depth + 1)),
];

function pathTo(node: Node, name: string, folder: string): readonly string[] {
  if (node.name === name && node.file.startsWith(folder)) return [name];
  const rest = node.below.map((each) => pathTo(each, name, folder)).find((path) => path.length > 0);
  return rest ? [node.name, ...rest] : [];
}
