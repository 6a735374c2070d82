// Your own tool that changes files: it returns what should change, and rules, approvals and undo apply to it as to any
// other tool. Run: node examples/changing-tool.mjs
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { change, createHoldfast, defineTool, DESTRUCTIVE, planTextChange } from "holdfast";
import * as z from "zod";

const sortLines = defineTool({
  name: "sort_lines",
  title: "Sort lines",
  description: "Sort the lines of a file.",
  annotations: DESTRUCTIVE,
  input: z.strictObject({ path: z.string().describe("A text file"), dry_run: z.boolean().default(false) }),
  output: z.object({ path: z.string() }),
  async plan({ path, dry_run: isDryRun }, view) {
    const { changes, line, diff } = await planTextChange(view, path, (text) => sorted(text ?? ""));
    return change({ isDryRun, changes, lines: [line], diff, data: () => ({ path }) });
  },
});

/** @param {string} text */
const sorted = (text) => text.trimEnd().split("\n").toSorted().join("\n") + "\n";

const root = mkdtempSync(join(tmpdir(), "changing-tool-"));
const list = join(root, "list.txt");
writeFileSync(list, "pears\napples\nplums\n");

const holdfast = createHoldfast({
  roots: [root],
  tools: [sortLines],
  policy: { rules: [{ act: "write", decide: "approval" }] },
  approver: async ({ effect }) => (console.log(`asked: ${effect.summary.split("\n")[0]}`), { decision: "once" }),
});
for (const input of [{ path: "list.txt", dry_run: true }, { path: "list.txt" }, { path: "../elsewhere.txt" }]) {
  const { isError, text } = await holdfast.call("sort_lines", input);
  console.log(isError ? "refused:" : "answered:", text.split("\n")[0], JSON.stringify(readFileSync(list, "utf8")));
}
await holdfast.undo();
console.log("undone:", JSON.stringify(readFileSync(list, "utf8")));
holdfast.close();
