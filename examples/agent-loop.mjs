// A whole agent in a few lines; its model is a list of prepared answers. Run: node examples/agent-loop.mjs
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHoldfast } from "holdfast";

const root = mkdtempSync(join(tmpdir(), "agent-loop-"));
writeFileSync(join(root, "notes.txt"), "one\ntwo\n");

const holdfast = createHoldfast({ roots: [root] });
const tools = new Map(holdfast.tools().map((tool) => [tool.name, tool]));

const said = [
  { tool: "read", input: { path: "notes.txt" } },
  { tool: "edit", input: { path: "notes.txt", edits: [{ oldText: "two", newText: "three" }] } },
  { tool: "read", input: { path: "none.txt" } },
];

for (const { tool, input } of said) {
  try {
    const result = await tools.get(tool)?.execute("call", input);
    console.log(`${tool}:`, JSON.stringify(result?.content));
  } catch (error) {
    // The model reads what went wrong, and what to do about it.
    console.log(`${tool} failed:`, error instanceof Error ? error.message.split("\n").at(-1) : error);
  }
}

const undone = await holdfast.undo();
const text = JSON.stringify(readFileSync(join(root, "notes.txt"), "utf8"));
console.log(`undone: ${undone.isError ? "nothing" : undone.data.undone.length} change; ${text}`);
holdfast.close();
