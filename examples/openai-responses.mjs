// An agent on OpenAI's responses, streamed and strict.
// OPENAI_API_KEY=… node examples/openai-responses.mjs <directory> "<task>"
import { createHoldfast, toOpenAIResponsesTools } from "holdfast";
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
const { tools, answer } = toOpenAIResponsesTools(holdfast.tools(), { strict: true });

/** @type {any[]} */
const input = [{ role: "user", content: task }];
for (;;) {
  const output = await ask();
  input.push(...output);
  const calls = output.filter((item) => item.type === "function_call");
  if (calls.length === 0) break;
  input.push(...(await Promise.all(calls.map((call) => answer(call)))));
}
holdfast.close();

async function ask() {
  const response = await fetch(`${base}/responses`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "gpt-5.2", stream: true, store: false, tools, input }),
  });
  /** @type {any[]} */
  let output = [];
  for await (const event of events(response)) {
    if (event.type === "response.output_item.done" && event.item.type === "function_call") {
      console.log(`${event.item.name} ${event.item.arguments}`);
    }
    if (event.type === "response.output_text.done") console.log(event.text);
    if (event.type === "response.completed") output = event.response.output;
    if (event.type === "response.failed") throw new Error(event.response.error.message);
  }
  return output;
}
