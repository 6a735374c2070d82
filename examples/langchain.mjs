// An agent on LangChain, streamed. ANTHROPIC_API_KEY=… node examples/langchain.mjs <directory> "<task>"
import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import { createHoldfast, toLangChainTools } from "holdfast";
import { keyFrom } from "./key.mjs";

const [root = ".", task = "What is in this directory?"] = process.argv.slice(2);
const { ANTHROPIC_BASE_URL: anthropicApiUrl = "https://api.anthropic.com" } = process.env;
const apiKey = keyFrom("ANTHROPIC_API_KEY");

const holdfast = createHoldfast({
  roots: [root],
  policy: { rules: [{ act: "delete", decide: "approval" }] },
  approver: async ({ effect }) => (console.log(`asked: ${effect.summary}`), { decision: "once" }),
});
const tools = toLangChainTools(holdfast.tools());
const model = new ChatAnthropic({ model: "claude-sonnet-5", apiKey, anthropicApiUrl }).bindTools(tools);

/** @type {import("@langchain/core/messages").BaseMessage[]} */
const messages = [new HumanMessage(task)];
for (;;) {
  const reply = await ask();
  messages.push(reply);
  if (!reply.tool_calls?.length) break;
  messages.push(...(await Promise.all(reply.tool_calls.map(resultOf))));
}
holdfast.close();

async function ask() {
  /** @type {import("@langchain/core/messages").AIMessageChunk | undefined} */
  let reply;
  for await (const chunk of await model.stream(messages)) reply = reply ? concat(reply, chunk) : chunk;
  if (!reply) throw new Error("The model said nothing");
  if (reply.text !== "") console.log(reply.text);
  return reply;
}

/** @param {import("@langchain/core/messages").ToolCall} call */
async function resultOf({ id = "", name, args }) {
  console.log(`${name} ${JSON.stringify(args)}`);
  try {
    const content = await tools.find((tool) => tool.name === name)?.invoke(args);
    return new ToolMessage({ tool_call_id: id, content: content ?? "" });
  } catch (error) {
    return new ToolMessage({ tool_call_id: id, content: String(error), status: "error" });
  }
}
