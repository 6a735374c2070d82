// An agent on the Gemini API, streamed. GEMINI_API_KEY=… node examples/gemini.mjs <directory> "<task>"
import { createHoldfast, toGeminiDeclarations } from "holdfast";
import { events } from "./events.mjs";
import { keyFrom } from "./key.mjs";

const [root = ".", task = "What is in this directory?"] = process.argv.slice(2);
const { GEMINI_BASE_URL: base = "https://generativelanguage.googleapis.com" } = process.env;
const key = keyFrom("GEMINI_API_KEY");

const holdfast = createHoldfast({
  roots: [root],
  policy: { rules: [{ act: "delete", decide: "approval" }] },
  approver: async ({ effect }) => (console.log(`asked: ${effect.summary}`), { decision: "once" }),
});
const functionDeclarations = toGeminiDeclarations(holdfast.tools());

/** @typedef {{ text?: string, functionCall?: { id?: string, name: string, args?: object }, functionResponse?: object }} Part */

/** @type {{ role: string, parts: Part[] }[]} */
const contents = [{ role: "user", parts: [{ text: task }] }];
for (;;) {
  const parts = await ask();
  // All parts go back unchanged: some carry a signature of the model's thoughts.
  contents.push({ role: "model", parts });
  const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
  if (calls.length === 0) break;
  contents.push({ role: "user", parts: await Promise.all(calls.map(resultOf)) });
}
holdfast.close();

async function ask() {
  const response = await fetch(`${base}/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-goog-api-key": key },
    body: JSON.stringify({ contents, tools: [{ functionDeclarations }] }),
  });
  /** @type {Part[]} */
  const parts = [];
  for await (const { candidates } of events(response)) parts.push(...(candidates?.[0]?.content?.parts ?? []));
  const text = parts.map((part) => part.text ?? "").join("");
  if (text !== "") console.log(text);
  return parts;
}

/** @param {NonNullable<Part["functionCall"]>} call */
async function resultOf({ id, name, args }) {
  console.log(`${name} ${JSON.stringify(args)}`);
  const { isError, text } = await holdfast.call(name, args);
  return { functionResponse: { id, name, response: isError ? { error: text } : { output: text } } };
}
