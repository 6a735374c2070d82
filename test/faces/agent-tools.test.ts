import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { CATALOGUE } from "../../src/app/catalogue.ts";
import * as sdk from "../../src/index.ts";
import {
  type AgentTool,
  answer,
  createHoldfast,
  createTools,
  defineTool,
  READ_ONLY,
  readWholeText,
} from "../../src/index.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";

const open = (root: string, options: object = {}) => {
  const holdfast = createHoldfast({ roots: [root], stateDirectory: stateBeside(root), ...options });
  onTestFinished(holdfast.close);
  return holdfast;
};

const toolIn = (tools: readonly AgentTool[], name: string): AgentTool => {
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
};

it("exports these names", () => {
  expect(Object.keys(sdk).toSorted()).toEqual([
    "ADDITIVE",
    "CODES",
    "DESTRUCTIVE",
    "DIALECT_NAMES",
    "Fault",
    "FileError",
    "INVENTORY",
    "OUTWARD",
    "PLUGIN_KIT",
    "READ_ONLY",
    "answer",
    "assertSandboxPath",
    "change",
    "createFileManager",
    "createHoldfast",
    "createTools",
    "definePlugin",
    "defineTool",
    "dialectTool",
    "loadDialect",
    "memoryObjects",
    "memoryStorage",
    "normalizeTool",
    "objectStorage",
    "outward",
    "planTextChange",
    "readWholeText",
    "sanitizeToolResultImages",
    "textAnswer",
    "toAnthropicTools",
    "toGeminiDeclarations",
    "toLangChainTools",
    "toOpenAIChatTools",
    "toOpenAIResponsesTools",
    "toVercelTools",
  ]);
});

it("a handle can do this", () => {
  expect(Object.keys(open(scratch())).toSorted()).toEqual([
    "call",
    "close",
    "history",
    "ready",
    "resetLoopGuard",
    "tools",
    "toolsFor",
    "undo",
    "watch",
  ]);
});

it("a tool has all that a loop needs, and gives content and details", async () => {
  const read = toolIn(open(scratch({ "a.txt": "one\ntwo\nthree\n" })).tools(), "read");
  expect({ ...read, parameters: Object.keys(read.parameters), execute: typeof read.execute }).toEqual({
    name: "read",
    label: "Read files",
    description: expect.stringMatching(/^Read /),
    parameters: ["type", "properties"],
    execute: "function",
  });
  expect(await read.execute("1", { path: "a.txt", limit: 2 })).toEqual({
    content: [
      { type: "text", text: "one\ntwo\n" },
      { type: "text", text: "[Cut: 1 more line; offset=3]" },
    ],
    details: {
      path: "a.txt",
      encoding: "utf-8",
      version: expect.any(String),
      size: 14,
      modified: expect.any(String),
      total_lines: 3,
      truncated: true,
      next_offset: 3,
      cursor: expect.any(String),
      truncation: {
        truncated: true,
        truncatedBy: "lines",
        outputLines: 2,
        totalLines: 3,
        firstLineExceedsLimit: false,
      },
      notes: ["Cut: 1 more line; offset=3"],
    },
  });
});

const WHOLE = { truncated: false, truncatedBy: null, firstLineExceedsLimit: false };

it.each([
  {
    name: "whole",
    text: "a\nb\n",
    input: {},
    truncation: { ...WHOLE, outputLines: 2, totalLines: 2 },
  },
  {
    name: "no final line end",
    text: "a\nb",
    input: {},
    truncation: { ...WHOLE, outputLines: 2, totalLines: 2 },
  },
  {
    name: "empty",
    text: "",
    input: {},
    truncation: { ...WHOLE, outputLines: 0, totalLines: 0 },
  },
  {
    name: "an offset past the end",
    text: "a\nb\n",
    input: { offset: 9 },
    truncation: { ...WHOLE, outputLines: 0, totalLines: 2 },
  },
  {
    name: "as many lines as were asked for",
    text: "a\nb\nc\n",
    input: { limit: 2 },
    truncation: { truncated: true, truncatedBy: "lines", outputLines: 2, totalLines: 3, firstLineExceedsLimit: false },
  },
  {
    name: "as many lines as fit",
    text: `${"x".repeat(40)}\n`.repeat(3),
    input: { max_bytes: 64 },
    truncation: { truncated: true, truncatedBy: "bytes", outputLines: 1, totalLines: 3, firstLineExceedsLimit: false },
  },
  {
    name: "a first line without end",
    text: `${"x".repeat(200)}\ny\n`,
    input: { max_bytes: 64 },
    truncation: { truncated: true, truncatedBy: "bytes", outputLines: 1, totalLines: 2, firstLineExceedsLimit: true },
  },
  {
    name: "bytes",
    text: "abc\n",
    input: { encoding: "base64" },
    truncation: { ...WHOLE, outputLines: 0 },
  },
])("truncation of a read: $name", async ({ text, input, truncation }) => {
  const read = toolIn(open(scratch({ "a.txt": text })).tools(), "read");
  const { details } = await read.execute("1", { path: "a.txt", ...input });
  expect(details["truncation"]).toEqual(truncation);
  const { details: several } = await read.execute("1", { paths: ["a.txt", "none"], ...input });
  expect(several["files"]).toMatchObject([{ truncation }, { error: { code: "not_found" } }]);
  expect(JSON.stringify(several)).not.toContain('"content"');
});

it("shows pictures as they are", async () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const { content } = await toolIn(open(scratch({ "p.png": png })).tools(), "read").execute("1", { path: "p.png" });
  expect(content).toEqual([
    { type: "image", data: png.toString("base64"), mimeType: "image/png" },
    { type: "text", text: `[image/png of 1x1 pixels, ${png.length} bytes]` },
  ]);
});

it("rejects with a fault whose message is for the model", async () => {
  const read = toolIn(open(scratch()).tools(), "read");
  await expect(read.execute("1", { path: "none" })).rejects.toMatchObject({
    name: "Fault",
    code: "not_found",
    message: expect.stringMatching(/^Cannot .*\n.*parent directory/),
  });
  await expect(read.execute("1", { path: "none" }, AbortSignal.abort())).rejects.toMatchObject({ code: "cancelled" });
});

it("tells a loop how far a long call has come", async () => {
  const root = scratch({ "big.txt": "x\n".repeat(4_000_000) });
  const updates: unknown[] = [];
  const stat = toolIn(open(root).tools(), "stat");
  await stat.execute("1", { path: "big.txt", checksum: true }, undefined, (update) => updates.push(update));
  expect(updates).toContainEqual({ done: expect.any(Number), total: 8_000_000 });
});

const shout = defineTool({
  name: "shout",
  title: "Shout",
  description: "A file in capitals.",
  annotations: READ_ONLY,
  input: z.strictObject({ path: z.string() }),
  output: z.object({ text: z.string() }),
  async plan({ path }, view) {
    const text = (await readWholeText(view, path)).toUpperCase();
    return answer(text, { text });
  },
});

it("takes tools of one's own, which see no more than the others", async () => {
  const holdfast = open(scratch({ "a.txt": "hey" }), { tools: [shout] });
  expect(holdfast.tools().at(-1)).toMatchObject({ name: "shout", label: "Shout" });
  expect(await holdfast.call("shout", { path: "a.txt" })).toEqual({
    isError: false,
    text: "HEY",
    data: { text: "HEY" },
  });
  expect((await holdfast.call("shout", { path: "../a" })).error?.code).toBe("outside_workspace");
  expect((await holdfast.call("shout", { pth: "a" })).text).toContain('did you mean "path"');
});

it.each([
  {
    name: "a native one",
    tools: [{ ...shout, name: "read" }],
    warned: 'Skipped the tool "read": there is one of that name',
  },
  { name: "another name of a native one", tools: [{ ...shout, name: "session_status" }], warned: "session_status" },
  { name: "each other", tools: [shout, shout], warned: '"shout"' },
])("a tool that is called like $name gives way", async ({ tools, warned }) => {
  const warnings: string[] = [];
  const holdfast = open(scratch({ "a.txt": "hey" }), { tools, warn: (message: string) => warnings.push(message) });
  expect(warnings).toEqual([expect.stringContaining(warned)]);
  const names = holdfast.tools().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect((await holdfast.call("read", { path: "a.txt" })).text).toBe("hey");
});

const namesWith = (options: object): readonly string[] =>
  open(scratch(), { tools: [shout], ...options })
    .tools()
    .map(({ name }) => name);

it("policies hide one's own tools, too", () => {
  expect(namesWith({ profile: "minimal" })).toEqual(["session", "shout"]);
  expect(namesWith({ toolConfig: { tools: { deny: ["shout"] } } })).not.toContain("shout");
});

const namesIn = (step: string): readonly string[] =>
  CATALOGUE.filter(({ catalogue }) => (catalogue.step ?? "native") === step).map(
    ({ name, catalogue }) => catalogue.agentName ?? name,
  );
const BASE = namesIn("base");
/** Without those that the default profile leaves out. */
const MORE = namesIn("native").filter((name) => !["extract", "compress"].includes(name));
const READERS = CATALOGUE.filter(({ annotations }) => annotations.readOnlyHint).map(
  ({ name, catalogue }) => catalogue.agentName ?? name,
);
const FOR_SUB_AGENTS = CATALOGUE.filter(({ catalogue }) => catalogue.subAgent).map(({ name }) => name);

it("the first tools are the documented ones, and sub-agents get some that only read", () => {
  expect(BASE).toEqual(["read", "write", "edit", "grep", "find", "ls"]);
  expect(FOR_SUB_AGENTS).toEqual(expect.arrayContaining(["read", "grep", "find", "ls"]));
  expect(READERS).toEqual(expect.arrayContaining([...FOR_SUB_AGENTS]));
});

it.each([
  { name: "a main agent", options: {}, names: [...BASE, ...MORE] },
  { name: "a model of OpenAI", options: { modelProvider: "openai" }, names: [...BASE, "apply_patch", ...MORE] },
  {
    name: "another model by the same road",
    options: { modelProvider: "openrouter", modelId: "x-ai/grok-4" },
    names: [...BASE, ...MORE],
  },
  {
    name: "a model that may not patch",
    options: {
      modelProvider: "openai",
      modelId: "gpt-4",
      config: { tools: { exec: { applyPatch: { allowModels: ["gpt-5.2"] } } } },
    },
    names: [...BASE, ...MORE],
  },
  { name: "a sub-agent", options: { sessionKey: "agent:main:subagent:7" }, names: FOR_SUB_AGENTS },
  {
    name: "a sandbox that is only read",
    options: { sandbox: { enabled: true, workspaceAccess: "ro" } },
    names: READERS,
  },
  { name: "a list", options: { config: { tools: { allow: ["read", "ls"] } } }, names: ["read", "ls"] },
  {
    name: "an agent's own list",
    options: { sessionKey: "agent:ops:main", config: { agents: { ops: { tools: { deny: ["group:fs"] } } } } },
    names: ["session_status"],
  },
  { name: "one's own tools", options: { tools: [shout] }, names: [...BASE, ...MORE, "shout"] },
])("assembles the tools for $name", ({ options, names }) => {
  const root = scratch();
  const tools = createTools({ roots: [root], stateDirectory: stateBeside(root), ...(options as object) });
  expect(tools.map(({ name }) => name)).toEqual(names);
});

it("assembled tools work, in the sandbox's directory when no other is named", async () => {
  const root = scratch({ "a.txt": "one\n" });
  const tools = createTools({
    sandbox: { enabled: true, workspaceDir: root, workspaceAccess: "rw" },
    stateDirectory: stateBeside(root),
    modelProvider: "google",
    exec: { security: "deny" },
    messageProvider: "slack",
    agentAccountId: "7",
  });
  await toolIn(tools, "edit").execute("1", { path: "a.txt", edits: [{ oldText: "one", newText: "two" }] });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("two\n");
  expect((await toolIn(tools, "session_status").execute("2", {})).details).toMatchObject({ roots: [{ path: root }] });
  expect(toolIn(tools, "find").parameters["properties"]).toMatchObject({ pattern: { anyOf: expect.any(Array) } });
  expect(() => createTools({})).toThrow(sdk.Fault);
});

it("the inventory has every documented tool once", () => {
  const built = CATALOGUE.map(({ name, catalogue }) => catalogue.agentName ?? name);
  expect(sdk.INVENTORY.map(({ name }) => name).toSorted()).toEqual(
    [
      ...built,
      ..."web_search web_fetch browser canvas nodes cron message gateway agents_list".split(" "),
      ..."sessions_list sessions_history sessions_send sessions_spawn subagents".split(" "),
      ..."memory_search memory_get image".split(" "),
    ].toSorted(),
  );
  expect(sdk.INVENTORY.filter(({ main }) => main === "owner").map(({ name }) => name)).toEqual(["cron", "gateway"]);
});

it("asks whom the program names, where its policy says so", async () => {
  const root = scratch({ "a.txt": "one", "b.txt": "two" });
  const asked: sdk.ApprovalRequest[] = [];
  const holdfast = open(root, {
    policy: { rules: [{ act: "delete", decide: "approval", reason: "deleting needs a yes" }] },
    approver: async (question: sdk.ApprovalRequest) => {
      asked.push(question);
      return { decision: question.effect.summary.includes("a.txt") ? "once" : "deny" };
    },
  });
  expect((await holdfast.call("delete", { path: "a.txt" })).isError).toBe(false);
  const refused = await holdfast.call("delete", { path: "b.txt" });
  expect(refused.data.error).toMatchObject({
    code: "denied",
    message: expect.stringContaining("deleting needs a yes"),
  });
  expect(asked.map(({ tool, reasons }) => [tool, reasons])).toEqual([
    ["delete", [expect.stringContaining("deleting needs a yes")]],
    ["delete", [expect.stringContaining("deleting needs a yes")]],
  ]);
});

it.each([
  { name: "a verdict", policy: { rules: [{ act: "read", decide: "never" }] }, says: "policy.rules[0].decide" },
  { name: "a key", policy: { rule: [] }, says: 'did you mean "rules"?' },
])("refuses a policy with $name that there is not", ({ policy, says }) => {
  expect(() => open(scratch(), { policy })).toThrow(says);
});
