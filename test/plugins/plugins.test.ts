import { once } from "node:events";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { LIMITS } from "../../src/base/limits.ts";
import { createHoldfast, createTools, definePlugin } from "../../src/index.ts";
import { answer, outward, OUTWARD } from "../../src/tools/tool.ts";
import { appOn, scratch, stateBeside } from "../runtime/scratch.ts";
import { namesIn, NOTES, withPlugins } from "../processes/mounting.ts";
import { saying, wanting } from "./tool.ts";

const GOOD = { id: "good", tools: [saying("hello"), saying("rarely", "now", { optional: true })] };

describe("a plugin brings tools", () => {
  it("that are listed and called like all others, whatever the profile", async () => {
    const { holdfast, warnings } = withPlugins([GOOD], { profile: "minimal" });
    expect(namesIn(holdfast)).toEqual(["session", "hello"]);
    expect(await holdfast.call("hello", {})).toEqual({ isError: false, text: "hello", data: { said: "hello" } });
    expect(warnings).toEqual([]);
  });

  it.each([
    { tools: { deny: ["good"] }, shown: [] },
    { tools: { deny: ["group:plugins"] }, shown: [] },
    { tools: { allow: ["read"] }, shown: [] },
    { tools: { allow: ["good"] }, shown: ["hello", "rarely"] },
    { tools: { alsoAllow: ["rarely"] }, shown: ["hello", "rarely"] },
    { tools: { alsoAllow: ["group:plugins"] }, shown: ["hello", "rarely"] },
  ])("that lists know by its id: $tools shows $shown", ({ tools, shown }) => {
    const { holdfast, warnings } = withPlugins([GOOD], { toolConfig: { tools } });
    expect(namesIn(holdfast).filter((name) => ["hello", "rarely"].includes(name))).toEqual(shown);
    expect(warnings).toEqual([]);
  });

  it("and a hidden one says what would bring it back", async () => {
    const { holdfast } = withPlugins([GOOD]);
    expect((await holdfast.call("rarely", {})).text).toContain('To show it: add "rarely" to tools.alsoAllow');
  });
});

describe("a plugin that is a function", () => {
  it("is handed what it takes to make one, and brings its tools", async () => {
    const made = definePlugin(({ defineTool, answer: says, READ_ONLY, z: schema }) => ({
      id: "made",
      tools: [
        defineTool({
          name: "greet",
          title: "Greet",
          description: "Greets",
          annotations: READ_ONLY,
          input: schema.strictObject({}),
          output: schema.object({ said: schema.string() }),
          plan: async () => says("hello", { said: "hello" }),
        }),
      ],
    }));
    const { holdfast, warnings } = withPlugins([made]);
    expect(await holdfast.call("greet", {})).toMatchObject({ isError: false, text: "hello" });
    const tools = createTools({ roots: [scratch()], plugins: [made] });
    expect([tools.some(({ name }) => name === "greet"), warnings]).toEqual([true, []]);
  });

  it.each([
    {
      name: "is async",
      make: async () => GOOD,
      says: "it is a promise: give what it resolves to, such as await make(PLUGIN_KIT)",
    },
    {
      name: "rejects",
      make: () => Promise.reject(new Error("broken")),
      says: "it is a promise: give what it resolves to, such as await make(PLUGIN_KIT)",
    },
    {
      name: "throws",
      make: () => {
        throw new Error("broken");
      },
      says: "it throws: Error: broken",
    },
    { name: "makes nothing", make: () => undefined, says: "it must be an object, not nothing" },
  ])("and $name is told, and harms no other", ({ make, says }) => {
    const { holdfast, warnings } = withPlugins([make as never, GOOD]);
    expect(warnings).toEqual([`Skipped the plugin plugins[0]: ${says}`]);
    expect(namesIn(holdfast)).toContain("hello");
  });

  it("is told as a warning of Node where the program hears no others", async () => {
    const warning = once(process, "warning");
    const root = scratch();
    createHoldfast({ roots: [root], stateDirectory: stateBeside(root), plugins: [{ id: "Odd name" }] }).close();
    expect((await warning)[0]).toMatchObject({
      name: "HoldfastWarning",
      message: expect.stringMatching(/^Skipped the plugin plugins\[0\]: its id must match /),
    });
  });
});

it("a tool of a plugin takes no name of a tool that is hidden", async () => {
  const { holdfast } = withPlugins([{ id: "one", tools: [saying("other", "x", { otherNames: ["write"] })] }], {
    readOnly: true,
  });
  expect((await holdfast.call("write", { path: "x", content: "" })).data.error).toMatchObject({ code: "denied" });
});

it("a plugin that an agent might change is told", () => {
  const root = scratch({ "p/plugin.mjs": "" });
  const warnings: string[] = [];
  const pluginFiles = [join(root, "p/plugin.mjs"), join(dirname(root), "plugin.mjs")];
  appOn(root, { pluginFiles, warn: (message) => void warnings.push(message) });
  expect(warnings).toEqual([expect.stringContaining('p/plugin.mjs" is in a root')]);
});

describe("what there is already stays, and it is said", () => {
  it.each([
    {
      name: "a native tool",
      plugins: [{ id: "one", tools: [saying("read"), saying("other")] }],
      warnings: ['Skipped the tool "read" of the plugin "one": there is one of that name'],
    },
    {
      name: "another name of a native tool",
      plugins: [{ id: "one", tools: [saying("glob"), saying("other")] }],
      warnings: ['Skipped the tool "glob" of the plugin "one": there is one of that name'],
    },
    {
      name: "a tool of another plugin",
      plugins: [
        { id: "one", tools: [saying("other")] },
        { id: "two", tools: [saying("other", "mine")] },
      ],
      warnings: ['Skipped the tool "other" of the plugin "two": there is one of that name'],
    },
    {
      name: "another plugin",
      plugins: [
        { id: "one", tools: [saying("other")] },
        { id: "one", tools: [saying("another")] },
      ],
      warnings: ['Skipped the plugin plugins[1]: there is one of the id "one"'],
    },
    {
      name: "a server of another plugin",
      plugins: [
        { id: "one", tools: [saying("other")], servers: { notes: NOTES } },
        { id: "two", servers: { notes: { command: "false" } } },
      ],
      warnings: ['Skipped the server "notes" of the plugin "two": there is one of that name'],
    },
  ])("$name", async ({ plugins, warnings: expected }) => {
    const { holdfast, warnings } = withPlugins(plugins);
    expect((await holdfast.call("read", { path: "a.txt" })).text).toBe("A\n");
    expect((await holdfast.call("other", {})).text).toBe("other");
    expect(warnings).toEqual(expected);
  });
});

describe("a plugin that cannot be used is skipped, with the reason", () => {
  const tool = saying("fine");
  it.each([
    { name: "nothing", plugin: null, says: /it must be an object, not null/ },
    { name: "no id", plugin: {}, says: /its id (must match|is missing)/ },
    { name: "an id that is no word", plugin: { id: "../x" }, says: /its id (must match|is missing)/ },
    { name: "the id of a tool", plugin: { id: "read" }, says: /its id "read" is the name of a tool/ },
    { name: "the id of an alias", plugin: { id: "bash" }, says: /its id "bash" is the name of a tool/ },
    { name: "a key that is none", plugin: { id: "x", tool: [] }, says: /Unrecognized key: "tool"/ },
    {
      name: "a tool without a plan",
      plugin: { id: "x", tools: [{ ...tool, plan: 1 }] },
      says: /tools\.0\.plan: is no function/,
    },
    {
      name: "a tool without annotations",
      plugin: { id: "x", tools: [{ ...tool, annotations: {} }] },
      says: /annotations\.readOnlyHint/,
    },
    {
      name: "a JSON schema",
      plugin: { id: "x", tools: [{ ...tool, input: { type: "object" } }] },
      says: /tools\.0\.input: is no object schema of zod 4/,
    },
    {
      name: "a schema that cannot be shown",
      plugin: { id: "x", tools: [{ ...tool, input: z.object({ when: z.date() }) }] },
      says: /a schema of its tool fine cannot be shown/,
    },
    { name: "a name no model takes", plugin: { id: "x", tools: [{ ...tool, name: "a b" }] }, says: /tools\.0\.name/ },
    { name: "a server called as two", plugin: { id: "x", servers: { a__b: NOTES } }, says: /servers/ },
    { name: "a server without a program", plugin: { id: "x", servers: { a: {} } }, says: /servers\.a\.command/ },
    {
      name: "a dialect without words for faults",
      plugin: { id: "x", dialect: { name: "d", tools: [] } },
      says: /dialect\.answerFault/,
    },
  ])("$name", ({ plugin, says }) => {
    const { holdfast, warnings } = withPlugins([plugin as never, GOOD]);
    expect(warnings).toEqual([expect.stringMatching(/^Skipped the plugin plugins\[0\]: /)]);
    expect(warnings[0]).toMatch(says);
    expect(namesIn(holdfast)).toContain("hello");
  });
});

describe("a tool that fails is answered, and names its plugin", () => {
  const failing = {
    throws: wanting("throws", () => {
      throw new Error("out of order");
    }),
    rejects: wanting("rejects", () => Promise.reject(new TypeError("not so"))),
    throws_nothing: wanting("throws_nothing", () => Promise.reject(undefined)),
    wants_nothing: wanting("wants_nothing", () => undefined),
    wants_nonsense: wanting("wants_nonsense", () => ({ kind: "everything" })),
    goes_on: wanting("goes_on", () => ({ kind: "resume", approval: "x", answerFor: () => ({}) })),
    breaks_its_word: wanting("breaks_its_word", () => answer("x", { said: 7 })),
    has_no_blocks: wanting("has_no_blocks", () => ({ kind: "answer", data: { said: "x" } })),
    fails_outside: wanting(
      "fails_outside",
      () => outward({ acts: ["network"], target: "x", sends: "", run: () => Promise.reject(new Error("no route")) }),
      { annotations: OUTWARD },
    ),
  };
  it.each([
    { tool: "throws", says: "Error: out of order" },
    { tool: "rejects", says: "TypeError: not so" },
    { tool: "throws_nothing", says: "undefined" },
    { tool: "wants_nothing", says: "it answered nothing that can be understood" },
    { tool: "wants_nonsense", says: "it answered nothing that can be understood" },
    { tool: "goes_on", says: "it answered nothing that can be understood" },
    { tool: "breaks_its_word", says: "its answer is not what it promises" },
    { tool: "has_no_blocks", says: "its answer has no blocks" },
    { tool: "fails_outside", says: "Error: no route" },
  ])("$tool", async ({ tool, says }) => {
    const { holdfast } = withPlugins([{ id: "broken", tools: Object.values(failing) }, GOOD]);
    const { error } = await holdfast.call(tool, {});
    expect(error).toMatchObject({ code: "tool_error", plugin: "broken" });
    expect(error?.message).toContain(`Cannot run ${tool}: the plugin "broken" failed: ${says}`);
    expect((await holdfast.call("hello", {})).text).toBe("hello");
  });
});

describe("a tool that never ends", () => {
  afterEach(() => void vi.useRealTimers());

  it("is given up, and others are answered meanwhile", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { holdfast } = withPlugins([{ id: "slow", tools: [wanting("wait", () => new Promise(() => {}))] }, GOOD]);
    const waiting = holdfast.call("wait", {});
    expect((await holdfast.call("hello", {})).text).toBe("hello");
    vi.advanceTimersByTime(LIMITS.pluginToolMs);
    expect((await waiting).data.error).toMatchObject({ code: "timeout", plugin: "slow" });
  });
});
