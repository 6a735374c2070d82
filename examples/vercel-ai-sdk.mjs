// An agent on Vercel's AI SDK, streamed. OPENAI_API_KEY=… node examples/vercel-ai-sdk.mjs <directory> "<task>"
import { createOpenAI } from "@ai-sdk/openai";
import { stepCountIs, streamText } from "ai";
import { createHoldfast, toVercelTools } from "holdfast";
import { keyFrom } from "./key.mjs";

const [root = ".", task = "What is in this directory?"] = process.argv.slice(2);
const { OPENAI_BASE_URL: baseURL = "https://api.openai.com/v1" } = process.env;
const openai = createOpenAI({ baseURL, apiKey: keyFrom("OPENAI_API_KEY") });

const holdfast = createHoldfast({
  roots: [root],
  policy: { rules: [{ act: "delete", decide: "approval" }] },
  approver: async ({ effect }) => (console.log(`asked: ${effect.summary}`), { decision: "once" }),
});

// The SDK runs the loop: the answer of a tool, or its error, goes back to the model.
const { fullStream } = streamText({
  model: openai.chat("gpt-5.2"),
  tools: toVercelTools(holdfast.tools()),
  stopWhen: stepCountIs(50),
  prompt: task,
});
for await (const part of fullStream) {
  if (part.type === "text-delta") process.stdout.write(part.text);
  if (part.type === "tool-call") console.log(`${part.toolName} ${JSON.stringify(part.input)}`);
  if (part.type === "error") throw part.error;
}
console.log();
holdfast.close();
