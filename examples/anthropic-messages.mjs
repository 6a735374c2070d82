// An agent on Anthropic's Messages API, streamed.
// ANTHROPIC_API_KEY=… node examples/anthropic-messages.mjs <directory> "<task>"
import { createHoldfast, toAnthropicTools } from "holdfast";
import { events } from "./events.mjs";
import { keyFrom } from "./key.mjs";

const [root = ".", task = "What is in this directory?"] = process.argv.slice(2);
const { ANTHROPIC_BASE_URL: base = "https://api.anthropic.com" } = process.env;
const key = keyFrom("ANTHROPIC_API_KEY");

const holdfast = createHoldfast({
  roots: [root],
  policy: { rules: [{ act: "delete", decide: "approval" }] },
  approver: async ({ effect }) => (console.log(`asked: ${effect.summary}`), { decision: "once" }),
});
const tools = toAnthropicTools(holdfast.tools());

const messages = [{ role: "user", content: /** @type {any} */ (task) }];
for (;;) {
  const reply = await ask();
  messages.push({ role: "assistant", content: reply });
  const calls = reply.filter((block) => block.type === "tool_use");
  if (calls.length === 0) break;
  messages.push({ role: "user", content: await Promise.all(calls.map(resultOf)) });
}
holdfast.close();

async function ask() {
  const response = await fetch(`${base}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ model: "claude-sonnet-5", max_tokens: 4096, stream: true, tools, messages }),
  });
  /** @type {any[]} */
  const blocks = [];
  for await (const event of events(response)) {
    if (event.type === "content_block_start") blocks[event.index] = { ...event.content_block, json: "" };
    if (event.type === "content_block_delta") {
      blocks[event.index].text += event.delta.text ?? "";
      blocks[event.index].json += event.delta.partial_json ?? "";
    }
    if (event.type === "error") throw new Error(event.error.message);
  }
  return blocks.map(finished);
}

/** @param {any} block */
function finished({ json, ...block }) {
  if (block.type === "text") console.log(block.text);
  return block.type === "tool_use"
    ? { type: "tool_use", id: block.id, name: block.name, input: JSON.parse(json || "{}") }
    : block;
}

/** @param {any} call */
async function resultOf({ id, name, input }) {
  console.log(`${name} ${JSON.stringify(input)}`);
  const result = { type: "tool_result", tool_use_id: id };
  try {
    const tool = tools.find((each) => each.name === name);
    return { ...result, content: await tool?.run(input, { toolUse: { id } }) };
  } catch (error) {
    return { ...result, content: String(error), is_error: true };
  }
}
