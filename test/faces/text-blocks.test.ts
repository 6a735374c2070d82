import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadDialect } from "../../src/dialects/load.ts";
import {
  type AgentTool,
  createHoldfast,
  createTools,
  toAnthropicTools,
  toLangChainTools,
  toOpenAIChatTools,
  toOpenAIResponsesTools,
  toVercelTools,
} from "../../src/index.ts";
import { appOn, scratch, stateBeside } from "../runtime/scratch.ts";

const blocks = (text: string) => [{ type: "text", text }];

const byName = <T extends { readonly name: string }>(tools: readonly T[], name: string): T =>
  tools.find((tool) => tool.name === name) as T;

type Call = (tool: string, input: object) => Promise<unknown>;

/** Every way of the SDK to call a tool. */
const WAYS: Readonly<Record<string, (tools: readonly AgentTool[]) => Call>> = {
  "as they are": (tools) => (name, input) => byName(tools, name).execute("1", input),
  Anthropic: (tools) => (name, input) => {
    const tool = byName(toAnthropicTools(tools), name);
    return tool.run(tool.parse(input));
  },
  "OpenAI chat": (tools) => (name, input) => {
    const functions = toOpenAIChatTools(tools, { strict: true }).map((tool) => tool.function);
    const tool = byName(functions, name);
    return tool.function(tool.parse(JSON.stringify(input)));
  },
  "OpenAI responses": (tools) => (name, input) =>
    toOpenAIResponsesTools(tools, { strict: true }).answer({ call_id: "1", name, arguments: JSON.stringify(input) }),
  Vercel: (tools) => (name, input) => {
    const { inputSchema, execute } = toVercelTools(tools)[name] as ReturnType<typeof toVercelTools>[string];
    return execute(inputSchema["~standard"].validate(input).value, { toolCallId: "1" });
  },
  LangChain: (tools) => (name, input) => byName(toLangChainTools(tools), name).invoke(input),
};

describe("text in blocks, by the tools of the SDK", () => {
  it.each(Object.keys(WAYS))("%s", async (way) => {
    const root = scratch();
    const holdfast = createHoldfast({ roots: [root], stateDirectory: stateBeside(root) });
    onTestFinished(holdfast.close);
    const made = createTools({ roots: [root], stateDirectory: stateBeside(root), modelProvider: "openai" });
    for (const [index, tools] of [holdfast.tools(), made].entries()) {
      const call = (WAYS[way] as (all: readonly AgentTool[]) => Call)(tools);
      const path = `${index}.txt`;
      await call("write", { path, content: blocks("one\ntwo\n") });
      await call("edit", { path, oldText: blocks("one"), newText: blocks("1") });
      await call("edit", { path, edits: [{ oldText: blocks("two"), newText: blocks("2") }] });
      expect(readFileSync(join(root, path), "utf8")).toBe("1\n2\n");
      const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n-1\n+one\n*** End Patch\n`;
      await call("apply_patch", { input: blocks(patch) });
      expect(readFileSync(join(root, path), "utf8")).toBe("one\n2\n");
    }
  });
});

describe("text in blocks, in the words of other systems", () => {
  it.each([
    { dialect: "mcp-filesystem", calls: [["write_file", { path: "a", content: blocks("new") }]] },
    {
      dialect: "mcp-filesystem",
      calls: [["edit_file", { path: "a", edits: [{ oldText: blocks("old"), newText: blocks("new") }] }]],
    },
    { dialect: "picoclaw", calls: [["write_file", { path: "a", content: blocks("new") }]] },
    { dialect: "picoclaw", calls: [["edit_file", { path: "a", old_text: blocks("old"), new_text: blocks("new") }]] },
    {
      dialect: "picoclaw",
      calls: [
        ["write_file", { path: "a", content: "n" }],
        ["append_file", { path: "a", content: blocks("ew") }],
      ],
    },
    { dialect: "fractary", calls: [["fractary_file_write", { path: "a", content: blocks("new"), overwrite: true }]] },
    { dialect: "capabilities", calls: [["filesystem__write", { path: "a", content: blocks("new") }]] },
  ] as const)("$dialect: $calls", async ({ dialect, calls }) => {
    const root = scratch({ a: "old" });
    const { surface } = appOn(root, {
      dialect: await loadDialect(dialect),
      approver: async () => ({ decision: "once" }),
    });
    for (const [tool, input] of calls) {
      const reply = await surface.call({ tool, input, signal: { aborted: false } });
      expect(reply).toMatchObject({ isError: false });
    }
    expect(readFileSync(join(root, "a"), "utf8")).toBe("new");
  });

  it("is nothing else than text", async () => {
    const { surface } = appOn(scratch(), { dialect: await loadDialect("mcp-filesystem") });
    const input = { path: "a", content: [{ type: "image", data: "x" }] };
    expect(await surface.call({ tool: "write_file", input, signal: { aborted: false } })).toMatchObject({
      isError: true,
      code: "invalid_input",
    });
  });
});
