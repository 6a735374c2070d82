import { EventEmitter, once } from "node:events";
import { describe, expect, it } from "vitest";
import type { Options } from "../../src/app/options.ts";
import { Fault } from "../../src/base/errors.ts";
import type { HookedResult, Hooks } from "../../src/runtime/hooks/hooks.ts";
import { appOn, callerOf, callerOn, scratch } from "./scratch.ts";

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
      name: "refuses with a fault of its own",
      beforeCall: () => {
        throw new Fault("read_only", "not today");
      },
      code: "read_only",
      text: "not today",
    },
    { name: "answers null", beforeCall: () => null as never, code: "ok", text: "A" },
  ])("$name: $code", async ({ beforeCall, code, text }) => {
    const answer = await on({ beforeCall })("read", { path: "a.txt" });
    expect(answer.code).toBe(code);
    expect(answer.text).toContain(text);
  });

  it("come in order, see what those before them made of it, and cannot change it behind our back", async () => {
    const seen: unknown[] = [];
    const meddling: Hooks = {
      beforeCall({ input }) {
        (input as { path: string }).path = "nowhere";
      },
    };
    const changing: Hooks = { beforeCall: () => ({ input: { path: "b.txt" } }) };
    const answer = await on(meddling, changing, { beforeCall: ({ input }) => void seen.push(input) })("read", {
      path: "a.txt",
    });
    expect(answer.text).toBe("B");
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

const broken = (): never => {
  throw new Error("broken");
};

/** The only text that a model gets about a failed hook. */
const REFUSED = 'Cannot call "read": a hook that is asked before every call failed';

/** A caller with these hooks, and what its operator is told. */
function watched(options: Partial<Options>) {
  const operator: string[] = [];
  const app = appOn(scratch(tree), { ...options, warn: (line) => operator.push(line) });
  const failures = () => {
    app.session.audit.flush();
    const lines = app.session.audit.files().flatMap(({ text }) => text.trimEnd().split("\n"));
    return lines.map((line) => JSON.parse(line)).filter(({ code }) => code === "hook_failed");
  };
  return { caller: callerOf(app), operator, failures };
}

describe("a function that fails or answers nonsense refuses the call, and the operator is told in words", () => {
  const CAN = 'it can answer nothing, { "block": "<reason>" } or { "input": { … } }';
  it.each([
    { name: "throws", beforeCall: broken, says: "broken" },
    { name: "rejects", beforeCall: async () => broken(), says: "broken" },
    { name: "throws no error", beforeCall: () => Promise.reject("oh no"), says: "oh no" },
    { name: "answers true", beforeCall: () => true, says: `it answered a boolean; ${CAN}` },
    { name: "answers false", beforeCall: async () => false, says: `it answered a boolean; ${CAN}` },
    { name: "answers a text", beforeCall: () => "no", says: `it answered a string; ${CAN}` },
    { name: "answers a list", beforeCall: () => [], says: `it answered a list; ${CAN}` },
    { name: "answers a function", beforeCall: () => broken, says: `it answered a function; ${CAN}` },
    { name: "misspells", beforeCall: () => ({ blok: "no" }), says: `its answer has an unknown key "blok"; ${CAN}` },
    {
      name: "blocks without words",
      beforeCall: () => ({ block: true }),
      says: `the "block" of its answer is no text; ${CAN}`,
    },
    {
      name: "gives no arguments",
      beforeCall: () => ({ input: null }),
      says: `the "input" of its answer is no object; ${CAN}`,
    },
    {
      name: "gives a list",
      beforeCall: () => ({ input: ["a.txt"] }),
      says: `the "input" of its answer is no object; ${CAN}`,
    },
  ])("$name", async ({ beforeCall, says }) => {
    const { caller, operator, failures } = watched({ hooks: [{}, { beforeCall: beforeCall as never }] });
    const answer = await caller("read", { path: "a.txt" });
    expect([answer.code, answer.text.split("\n")[0]]).toEqual(["denied", REFUSED]);
    expect(operator).toEqual([`The hook hooks[1] failed before "read" and refused the call: ${says}`]);
    expect(failures()).toMatchObject([{ tool: "read", hook: "hooks[1]", when: "before", reason: says }]);
  });

  it("arguments that nobody can copy are told of the hook that gave them", async () => {
    const odd = { beforeCall: () => ({ input: { path: broken } }) };
    const { caller, operator } = watched({ hooks: [odd, { beforeCall: () => undefined }] });
    expect((await caller("read", { path: "a.txt" })).code).toBe("denied");
    expect(operator).toEqual([expect.stringMatching(/^The hook hooks\[0\] failed [^]* could not be cloned/)]);
  });

  it("tells the same failure once, and again after the hook has worked; the audit log has every one", async () => {
    const answers = [7, 7, undefined, 7, "x"];
    const { caller, operator, failures } = watched({ hooks: [{ beforeCall: () => answers.shift() as never }] });
    for (let time = 0; time < 5; time++) await caller("read", { path: "a.txt" });
    expect(operator.map((line) => /it answered a \w+/.exec(line)?.[0])).toEqual([
      "it answered a number",
      "it answered a number",
      "it answered a string",
    ]);
    expect(failures()).toHaveLength(4);
  });
});

it.each([
  { name: "a function", hook: () => undefined },
  { name: "another name", hook: { before: () => undefined } },
  { name: "no function", hook: { beforeCall: "check" } },
])("$name instead of hooks is refused at the start: it would never be asked", ({ hook }) => {
  expect(() => on({}, hook as never)).toThrow(
    'Cannot start: the option "hooks" is wrong: hooks[1] has to be an object with functions beforeCall or afterCall',
  );
});

describe("functions after a call", () => {
  it.each([
    { name: "throws", afterCall: () => expect.fail("broken") },
    { name: "rejects", afterCall: () => Promise.reject(new Error("broken")) },
  ])("one that $name is told to the operator", async ({ afterCall }) => {
    const { caller, operator, failures } = watched({ hooks: [{ afterCall }] });
    expect((await caller("read", { path: "a.txt" })).code).toBe("ok");
    await new Promise(setImmediate);
    expect(operator).toEqual(['The hook hooks[0] failed after "read": broken']);
    expect(failures()).toMatchObject([{ tool: "read", hook: "hooks[0]", when: "after", reason: "broken" }]);
  });

  it("are told what came of it, also of a call that was blocked; one that throws harms nobody", async () => {
    const answer: HookedResult[] = [];
    const caller = on({ afterCall: broken }, { afterCall: (result) => void answer.push(result) });
    expect((await caller("read", { path: "a.txt" })).text).toBe("A");
    await caller("read", { path: "c.txt" });
    await new Promise(setImmediate);
    expect(answer.map(({ tool, input, code }) => ({ tool, input, code }))).toEqual([
      { tool: "read", input: { path: "a.txt" }, code: "ok" },
      { tool: "read", input: { path: "c.txt" }, code: "not_found" },
    ]);
  });
});

/** Prints until nobody reads. */
const ENDLESS = 'const more = () => process.stdout.write("y".repeat(65536), more); more()';

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
      name: "sees nothing of our environment",
      before: program("if (process.env.HOME) process.exit(1)"),
      code: "ok",
      text: "A",
    },
  ])("one that $name: $code", async ({ before, code, text }) => {
    const caller = callerOn(scratch(tree), { hookCommands: { beforeCall: [before] } });
    const answer = await caller("read", { path: "a.txt" });
    expect(answer.text).toContain(text);
    expect(answer.code).toBe(code);
  });

  it.each([
    {
      name: "is for a group",
      before: program("process.exit(1)", { tools: ["group:fs"] }),
      says: "it ended with code 1",
    },
    { name: "is for a glob", before: program("process.exit(1)", { tools: ["re*"] }), says: "it ended with code 1" },
    { name: "is for any case", before: program("process.exit(1)", { tools: ["Read"] }), says: "it ended with code 1" },
    { name: "fails", before: program('console.error("ouch"); process.exit(3)'), says: "it ended with code 3: ouch" },
    {
      name: "is not there",
      before: { command: ["/nowhere/at-all"] },
      says: /^it did not start: there is no program "\/nowhere\/at-all"$/,
    },
    { name: "is killed", before: program("process.kill(process.pid)"), says: "a signal ended it" },
    {
      name: "answers a number",
      before: program("console.log(1)"),
      says: /^it answered a number; it can answer nothing/,
    },
    {
      name: "answers no JSON",
      before: program('console.log("no way\\n" + "x".repeat(9999))'),
      says: /^it answered "no way\\nx{50,200}", which is not JSON$/,
    },
    {
      name: "misspells",
      before: program('console.log(`{"blok":"no"}`)'),
      says: /^its answer has an unknown key "blok"; /,
    },
    {
      name: "is slow",
      before: program('console.error("thinking"); setInterval(() => {}, 1000)', { timeoutMs: 400 }),
      says: /^it took longer than 0\.4 s(: thinking)?$/,
    },
    { name: "never stops talking", before: program(ENDLESS), says: "it answered more than 1048576 characters" },
  ])("one that $name refuses the call, and the operator is told in words", async ({ before, says }) => {
    const { caller, operator, failures } = watched({ hookCommands: { beforeCall: [before] } });
    const answer = await caller("read", { path: "a.txt" });
    expect([answer.code, answer.text.split("\n")[0]]).toEqual(["denied", REFUSED]);
    const [failure] = failures();
    const hook = `hooks.beforeCall[0] (${before.command[0]})`;
    expect(failure).toMatchObject({ hook, when: "before", reason: expect.stringMatching(says) });
    expect(operator).toEqual([`The hook ${hook} failed before "read" and refused the call: ${failure.reason}`]);
  });

  it("one that is told afterwards and fails is told to the operator", async () => {
    const answer = new EventEmitter();
    const hookCommands = { afterCall: [program("process.exit(4)")] };
    const caller = callerOn(scratch(tree), { hookCommands, warn: (line) => answer.emit("line", line) });
    const line = once(answer, "line");
    expect((await caller("read", { path: "a.txt" })).code).toBe("ok");
    expect((await line)[0]).toBe(
      `The hook hooks.afterCall[0] (${process.execPath}) failed after "read": it ended with code 4`,
    );
  });
});
