// An agent on OpenAI's chat completions, streamed. OPENAI_API_KEY=… node examples/openai-chat.mjs <directory> "<task>"
import { createHoldfast, toOpenAIChatTools } from "holdfast";
import { events } from "./events.mjs";
import { keyFrom } from "./key.mjs";

const [root = ".", task = "What is in this directory?"] = process.argv.slice(2);
const { OPENAI_BASE_URL: base = "https://api.openai.com/v1" } = process.env;
const key = keyFrom("OPENAI_API_KEY");

const holdfast = createHoldfast({
  roots: [root],
  policy: { rules: [{ act: "delete", decide: "approval" }] },
  approver: async ({ effect }) => (console.log(`asked: ${effect.summary}`), { decision: "once" }),
});
const tools = toOpenAIChatTools(holdfast.tools());

/** @type {any[]} */
const messages = [{ role: "user", content: task }];
for (;;) {
  const reply = await ask();
  messages.push(reply);
  if (!reply.tool_calls) break;
  messages.push(...(await Promise.all(reply.tool_calls.map(resultOf))));
}
holdfast.close();

async function ask() {
  const response = await fetch(`${base}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "gpt-5.2", stream: true, tools, messages }),
  });
  let content = "";
  /** @type {any[]} */
  const calls = [];
  for await (const { choices } of events(response)) {
    const { delta = {} } = choices[0] ?? {};
    content += delta.content ?? "";
    for (const { index, id, function: part } of delta.tool_calls ?? []) {
      calls[index] ??= { id, type: "function", function: { name: part.name, arguments: "" } };
      calls[index].function.arguments += part.arguments ?? "";
    }
  }
  if (content !== "") console.log(content);
  return { role: "assistant", content: content || null, ...(calls.length > 0 && { tool_calls: calls }) };
}

/** @param {any} call */
async function resultOf({ id, function: { name, arguments: args } }) {
  console.log(`${name} ${args}`);
  const tool = tools.find((each) => each.function.name === name)?.function;
  return { role: "tool", tool_call_id: id, content: await tool?.function(tool.parse(args)) };
}
