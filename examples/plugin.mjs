// A plugin: a tool that reaches beyond the files, and a server. Both need approval. Run: node examples/plugin.mjs
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { answer, createHoldfast, definePlugin, defineTool, outward, OUTWARD } from "holdfast";
import * as z from "zod";

const home = mkdtempSync(join(tmpdir(), "plugin-"));
writeFileSync(join(home, "old.txt"), "from the archive\n");

const ring = defineTool({
  name: "ring",
  title: "Ring the bell",
  description: "Ring the bell of the house.",
  annotations: OUTWARD,
  input: z.strictObject({ times: z.int().min(1).max(3) }),
  output: z.object({ rung: z.int() }),
  // Nothing happens yet: the intent says what should happen; rules decide and a person approves.
  plan: async ({ times }) =>
    outward({
      acts: ["network"],
      target: "the bell",
      sends: `${times} times`,
      run: async () => answer("ding ".repeat(times).trim(), { rung: times }),
    }),
});

const house = definePlugin({
  id: "house",
  tools: [ring],
  servers: {
    // Any MCP server on standard input and output works; here it is Holdfast itself, on another directory.
    archive: {
      command: process.execPath,
      args: [fileURLToPath(new URL("../dist/holdfast.cjs", import.meta.url)), home, "--read-only"],
      env: { HOLDFAST_STATE: join(home, "state") },
    },
  },
});

const holdfast = createHoldfast({
  roots: [mkdtempSync(join(tmpdir(), "plugin-root-"))],
  plugins: [house],
  approver: async ({ tool, effect }) => {
    const decision = tool === "archive__stat" ? "deny" : "once";
    console.log(`asked: ${tool}, ${effect.summary} -> ${decision}`);
    return { decision };
  },
});

await holdfast.ready();
const names = holdfast.tools().map(({ name }) => name);
console.log("listed:", ["ring", "archive__read", "archive__write"].filter((name) => names.includes(name)).join(" "));
for (const { tool, input } of [
  { tool: "ring", input: { times: 2 } },
  { tool: "archive__read", input: { path: "old.txt" } },
  { tool: "archive__stat", input: { path: "old.txt" } },
]) {
  const { isError, text } = await holdfast.call(tool, input);
  console.log(isError ? "refused:" : "answered:", text.split("\n")[0]);
}
holdfast.close();
