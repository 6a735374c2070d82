import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { createHoldfast, type Dialect, dialectTool, loadDialect, textAnswer } from "../../src/index.ts";
import { appOn, scratch, stateBeside } from "../runtime/scratch.ts";

/** A dialect of two tools, as anybody could write it. */
const SHORT: Dialect = {
  name: "short",
  tools: [
    dialectTool({
      name: "peek",
      title: "Peek",
      description: "The first line.",
      annotations: { readOnlyHint: true },
      input: z.strictObject({ file: z.string(), lines: z.int().min(1).default(1) }),
      uses: ["read"],
      run: async ({ file, lines }, native) =>
        textAnswer((await native.call("read", { path: file, limit: lines })).content ?? ""),
    }),
    dialectTool({
      name: "swap",
      title: "Swap",
      description: "Exchange two files.",
      annotations: {},
      input: z.strictObject({ one: z.string(), other: z.string() }),
      uses: ["move"],
      async run({ one, other }, native) {
        await native.call("move", { source: one, destination: "swapping" });
        await native.call("move", { source: other, destination: one });
        await native.call("move", { source: "swapping", destination: other });
        return { ...textAnswer("swapped"), isSilent: true };
      },
    }),
  ],
  answerFault: ({ code, message }, { tool }) => textAnswer(`${tool}: ${code}: ${message}`),
};

const open = (root: string, options = {}) =>
  createHoldfast({ roots: [root], stateDirectory: stateBeside(root), dialect: SHORT, ...options });

it("is a value that anybody can hand over", async () => {
  const holdfast = open(scratch({ a: "one\ntwo\n", b: "b" }));
  expect(holdfast.tools().map(({ name, parameters }) => [name, parameters])).toEqual([
    [
      "peek",
      {
        type: "object",
        properties: {
          file: { type: "string" },
          lines: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
        },
        required: ["file"],
      },
    ],
    ["swap", expect.any(Object)],
  ]);
  expect(await holdfast.call("peek", { file: "a" })).toEqual({ isError: false, text: "one\n", data: {} });
  expect(await holdfast.call("swap", { one: "a", other: "b" })).toMatchObject({ text: "swapped", isSilent: true });
  expect(await holdfast.call("peek", { file: "a" })).toMatchObject({ text: "b" });
  holdfast.close();
});

it("words every fault itself", async () => {
  const holdfast = open(scratch());
  const calls = [
    { tool: "peek", input: { file: "none" } },
    { tool: "peek", input: {} },
    { tool: "peek", input: { file: "a", x: 1 } },
    { tool: "peak", input: {} },
  ];
  const answers = await Promise.all(calls.map(({ tool, input }) => holdfast.call(tool, input)));
  const texts = answers.map(({ text }) => text);
  expect(texts).toEqual([
    expect.stringMatching(/^peek: not_found: /),
    'peek: invalid_input: Cannot call "peek": "file" is missing: give text',
    'peek: invalid_input: Cannot call "peek": Unrecognized key: "x"',
    'peak: unknown_tool: Cannot call "peak": there is no such tool; did you mean "peek"?',
  ]);
  holdfast.close();
});

it("that fails at its own words is answered in ours", async () => {
  const holdfast = open(scratch(), {
    dialect: { ...SHORT, answerFault: () => Promise.reject(new Error("speechless")) },
  });
  expect((await holdfast.call("peek", { file: "none" })).text).toMatch(/^Cannot .*none.*\nList the parent directory/);
  holdfast.close();
});

it("can be undone, call by call, in native words", async () => {
  const root = scratch({ a: "a", b: "b" });
  const holdfast = open(root);
  await holdfast.call("swap", { one: "a", other: "b" });
  for (let step = 0; step < 3; step++) expect(await holdfast.undo()).toMatchObject({ isError: false });
  expect(readFileSync(join(root, "a"), "utf8")).toBe("a");
  holdfast.close();
});

it.each([
  { name: "nothing may be changed", options: { readOnly: true } },
  { name: "what it is made of is hidden", options: { toolConfig: { tools: { deny: ["move"] } } } },
])("offers no tool of which $name", async ({ options }) => {
  const holdfast = open(scratch(), options);
  expect(holdfast.tools().map(({ name }) => name)).toEqual(["peek"]);
  expect((await holdfast.call("swap", {})).text).toMatch(/^swap: unknown_tool/);
  holdfast.close();
});

it("is in the audit log: what was asked, and what it became", async () => {
  const root = scratch({ a: "a" });
  const app = appOn(root, { dialect: SHORT });
  const ask = (tool: string, input: unknown) => app.surface.call({ tool, input, signal: { aborted: false } });
  await ask("peek", { file: "a" });
  await ask("peek", {});
  await ask("nope", {});
  await app.close();
  const [name] = readdirSync(app.stateDirectory).filter((each) => each.startsWith("audit-"));
  const lines = readFileSync(join(app.stateDirectory, String(name)), "utf8")
    .trim()
    .split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { tool: "read", via: "short.peek", input: { path: "a", limit: 1 }, code: "ok" },
    { tool: "short.peek", input: {}, code: "invalid_input" },
    { tool: "short.nope", code: "unknown_tool" },
  ]);
});

it("is guarded against loops by its own calls, not by those it is made of", async () => {
  const app = appOn(scratch({ a: "a" }), { dialect: SHORT });
  const replies = [];
  for (let time = 0; time <= LIMITS.loopCritical; time++)
    replies.push(await app.surface.call({ tool: "peek", input: { file: "a" }, signal: { aborted: false } }));
  const codes = replies.map(({ code }) => code);
  expect(codes).toEqual([...Array.from({ length: LIMITS.loopCritical }, () => "ok"), "loop"]);
  expect(replies[LIMITS.loopCritical - 1]?.blocks).toEqual([
    { kind: "text", text: "a" },
    { kind: "text", text: expect.stringMatching(/^Note: /) },
  ]);
});

it("is stopped with its call", async () => {
  const app = appOn(scratch({ a: "a" }), { dialect: SHORT });
  const reply = await app.surface.call({ tool: "peek", input: { file: "a" }, signal: { aborted: true } });
  expect(reply).toMatchObject({ isError: true, code: "cancelled" });
});

it.each([
  { name: "picoclw", says: /did you mean "picoclaw"\?$/ },
  { name: "toString", says: /the dialects are capabilities, fractary, mcp-filesystem, picoclaw/ },
])("says which dialects there are when $name is not one", async ({ name, says }) => {
  await expect(loadDialect(name)).rejects.toThrow(says);
});
