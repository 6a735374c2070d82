import { describe, expect, it } from "vitest";
import type { HookedResult, Hooks } from "../../src/runtime/hooks.ts";
import { callerOn, scratch } from "./scratch.ts";

const tree = { "a.txt": "A", "b.txt": "B" };
const on = (...hooks: readonly Hooks[]) => callerOn(scratch(tree), { hooks });

describe("functions before a call", () => {
  it.each([
    { name: "says nothing", beforeCall: () => undefined, code: "ok", text: "A" },
    { name: "blocks", beforeCall: () => ({ block: "not on Sundays" }), code: "denied", text: "not on Sundays" },
    { name: "changes what is read", beforeCall: async () => ({ input: { path: "b.txt" } }), code: "ok", text: "B" },
    { name: "makes it wrong", beforeCall: () => ({ input: { path: 7 } }), code: "invalid_input", text: '"path"' },
    {
      name: "leads outside",
      beforeCall: () => ({ input: { path: "/etc/passwd" } }),
      code: "outside_workspace",
      text: "",
    },
    {
      name: "throws",
      beforeCall: () => {
        throw new Error("broken");
      },
      code: "denied",
      text: "broken",
    },
  ])("$name: $code", async ({ beforeCall, code, text }) => {
    const told = await on({ beforeCall })("read", { path: "a.txt" });
    expect(told.code).toBe(code);
    expect(told.text).toContain(text);
  });

  it("come in order, see what those before them made of it, and cannot change it behind our back", async () => {
    const seen: unknown[] = [];
    const meddling: Hooks = {
      beforeCall({ input }) {
        (input as { path: string }).path = "nowhere";
      },
    };
    const changing: Hooks = { beforeCall: () => ({ input: { path: "b.txt" } }) };
    const told = await on(meddling, changing, { beforeCall: ({ input }) => void seen.push(input) })("read", {
      path: "a.txt",
    });
    expect(told.text).toBe("B");
    expect(seen).toEqual([{ path: "b.txt" }]);
  });

  it("do not see calls that mean nothing", async () => {
    const seen: string[] = [];
    const caller = on({ beforeCall: ({ tool }) => void seen.push(tool) });
    await caller("raed", {});
    await caller("read", { path: 7 });
    await caller("cat", {});
    expect(seen).toEqual([]);
  });
});

describe("functions after a call", () => {
  it("are told what came of it, also of a call that was blocked; one that throws harms nobody", async () => {
    const told: HookedResult[] = [];
    const broken: Hooks = {
      afterCall() {
        throw new Error("broken");
      },
    };
    const caller = on(broken, { afterCall: (result) => void told.push(result) });
    expect((await caller("read", { path: "a.txt" })).text).toBe("A");
    await caller("read", { path: "c.txt" });
    await new Promise(setImmediate);
    expect(told.map(({ tool, input, code }) => ({ tool, input, code }))).toEqual([
      { tool: "read", input: { path: "a.txt" }, code: "ok" },
      { tool: "read", input: { path: "c.txt" }, code: "not_found" },
    ]);
  });
});

const program = (code: string, more = {}) => ({ command: [process.execPath, "-e", code], ...more });

describe("programs", () => {
  const READ = 'const call = JSON.parse(require("fs").readFileSync(0, "utf8"));';

  it.each([
    { name: "says nothing", before: program(""), code: "ok", text: "A" },
    {
      name: "blocks by what it is told",
      before: program(`${READ} console.log(JSON.stringify({ block: call.tool + " of " + call.input.path }))`),
      code: "denied",
      text: "read of a.txt",
    },
    { name: "changes", before: program('console.log(`{"input":{"path":"b.txt"}}`)'), code: "ok", text: "B" },
    { name: "is for another tool", before: program("process.exit(1)", { tools: ["write"] }), code: "ok", text: "A" },
    {
      name: "is for a group",
      before: program("process.exit(1)", { tools: ["group:fs"] }),
      code: "denied",
      text: "with 1",
    },
    { name: "is for a glob", before: program("process.exit(1)", { tools: ["re*"] }), code: "denied", text: "with 1" },
    {
      name: "is for any case",
      before: program("process.exit(1)", { tools: ["Read"] }),
      code: "denied",
      text: "with 1",
    },
    {
      name: "fails",
      before: program('console.error("ouch"); process.exit(3)'),
      code: "denied",
      text: "ended with 3: ouch",
    },
    { name: "is not there", before: { command: ["/nowhere/at-all"] }, code: "denied", text: "did not start" },
    { name: "talks nonsense", before: program("console.log(1)"), code: "denied", text: "failed" },
    {
      name: "is slow",
      before: program("setInterval(() => {}, 1000)", { timeoutMs: 200 }),
      code: "denied",
      text: "was stopped",
    },
    {
      name: "never stops talking",
      before: { command: ["yes"] },
      code: "denied",
      text: "was stopped",
    },
    {
      name: "sees nothing of our environment",
      before: program("if (process.env.HOME) process.exit(1)"),
      code: "ok",
      text: "A",
    },
  ])("one that $name: $code", async ({ before, code, text }) => {
    const caller = callerOn(scratch(tree), { hookCommands: { beforeCall: [before] } });
    const told = await caller("read", { path: "a.txt" });
    expect(told.text).toContain(text);
    expect(told.code).toBe(code);
  });
});
