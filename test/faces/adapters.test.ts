import { expect, it, onTestFinished } from "vitest";
import {
  type AgentTool,
  createHoldfast,
  toAnthropicTools,
  toGeminiDeclarations,
  toLangChainTools,
  toOpenAIChatTools,
  toOpenAIResponsesTools,
  toVercelTools,
  type VercelTool,
} from "../../src/index.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { brokenRules } from "../schema/provider-rules.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function toolsOn(tree = {}): readonly AgentTool[] {
  const root = scratch({ "a.txt": "one\n", "p.png": Buffer.from(PNG, "base64"), ...tree });
  const holdfast = createHoldfast({ roots: [root], stateDirectory: stateBeside(root) });
  onTestFinished(holdfast.close);
  return holdfast.tools();
}

const named = <T extends { readonly name: string }>(tools: readonly T[], name: string): T =>
  tools.find((tool) => tool.name === name) as T;

const OUTSIDE = { path: "../x" };

it("Anthropic: content as blocks, pictures as pictures, faults rejected", async () => {
  const tools = toAnthropicTools(toolsOn());
  const read = named(tools, "read");
  expect(tools.flatMap(({ input_schema: schema }) => brokenRules("anthropic", schema))).toEqual([]);
  expect(await read.run(read.parse({ path: "a.txt" }))).toEqual([{ type: "text", text: "one\n" }]);
  expect(await read.run({ path: "p.png" }, { toolUse: { id: "1" } })).toEqual([
    { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
    { type: "text", text: "[image/png of 1x1 pixels, 70 bytes]" },
  ]);
  await expect(read.run(OUTSIDE)).rejects.toMatchObject({ code: "outside_workspace" });
  await expect(read.run({ path: "a.txt" }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: "cancelled",
  });
  expect(Object.keys(JSON.parse(JSON.stringify(read)))).toEqual(["type", "name", "description", "input_schema"]);
});

it.each([false, true])("OpenAI chat, strict %s: the model reads of every fault", async (strict) => {
  const tools = toOpenAIChatTools(toolsOn(), { strict }).map((tool) => tool.function);
  const read = named(tools, "read");
  expect(tools.every((tool) => tool.strict === strict)).toBe(true);
  expect(await read.function(read.parse('{"path":"a.txt"}'))).toBe("one\n");
  expect(await read.function({ path: "p.png" })).toBe("[image/png]\n[image/png of 1x1 pixels, 70 bytes]");
  expect(await read.function(OUTSIDE)).toMatch(/^Error: Cannot use/);
  expect(await read.function({ path: "a.txt", limit: null })).toMatch(strict ? /^one/ : /^Error: .*"limit" must be/);
  expect(() => read.parse("{")).toThrow("the arguments are not JSON");
  expect(read.parse("")).toEqual({});
});

it("OpenAI responses: answers calls, whatever they are", async () => {
  const { tools, answer } = toOpenAIResponsesTools(toolsOn(), { strict: true });
  const call = (name: string, args: string) => answer({ call_id: "1", name, arguments: args });
  expect(tools.flatMap(({ parameters }) => brokenRules("openai-strict", parameters))).toEqual([]);
  expect(await call("read", '{"path":"a.txt","limit":null}')).toEqual({
    type: "function_call_output",
    call_id: "1",
    output: "one\n",
  });
  expect((await call("read", "{")).output).toBe("Error: the arguments are not JSON: write them again");
  expect((await call("reed", "{}")).output).toMatch(/^Error: there is no tool "reed"; the tools are .*read/);
});

it("a tool that cannot be strict is offered as it is", () => {
  const [read] = toolsOn();
  const open = { ...(read as AgentTool), parameters: { type: "object", additionalProperties: true } };
  expect(toOpenAIResponsesTools([open], { strict: true }).tools).toMatchObject([
    { strict: false, parameters: { type: "object", properties: {}, additionalProperties: true } },
  ]);
});

it("Vercel: by name, with a schema that its SDK knows", async () => {
  const tools = toVercelTools(toolsOn());
  const { inputSchema, execute } = tools["read"] as VercelTool;
  expect(inputSchema).toMatchObject({ [Symbol.for("vercel.ai.schema")]: true, jsonSchema: { type: "object" } });
  expect(inputSchema["~standard"].jsonSchema.input()).toEqual(inputSchema.jsonSchema);
  expect(inputSchema["~standard"].validate(5)).toEqual({ value: 5 });
  expect(await execute({ path: "a.txt" }, { toolCallId: "1" })).toBe("one\n");
  await expect(execute(OUTSIDE, { toolCallId: "1" })).rejects.toMatchObject({ code: "outside_workspace" });
});

it("LangChain: takes arguments, or a whole call", async () => {
  const read = named(toLangChainTools(toolsOn()), "read");
  expect(read.schema.type).toBe("object");
  expect(await read.invoke({ path: "a.txt" })).toBe("one\n");
  expect(await read.invoke({ type: "tool_call", id: "1", name: "read", args: { path: "a.txt" } })).toBe("one\n");
  await expect(read.invoke(OUTSIDE)).rejects.toMatchObject({ code: "outside_workspace" });
});

it("Gemini: declares nothing where there is nothing to declare", () => {
  const tools = toolsOn();
  const [bare] = toGeminiDeclarations(tools.slice(0, 1).map((tool) => ({ ...tool, parameters: { type: "object" } })));
  expect(bare).not.toHaveProperty("parameters");
  const declared = toGeminiDeclarations(tools);
  expect(declared.flatMap(({ parameters = { type: "object" } }) => brokenRules("gemini", parameters))).toEqual([]);
});
