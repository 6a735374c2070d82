// Your own tool: it sees only what the rules allow, and passes the same checks. Run: node examples/custom-tool.mjs
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer, createHoldfast, defineTool, READ_ONLY, readWholeText } from "holdfast";
import * as z from "zod";

const wordCount = defineTool({
  name: "word_count",
  title: "Count words",
  description: "How many words a file has.",
  annotations: READ_ONLY,
  input: z.strictObject({ path: z.string().describe("A text file") }),
  output: z.object({ words: z.int() }),
  async plan({ path }, view) {
    const text = await readWholeText(view, path);
    const words = text.split(/\s+/).filter(Boolean).length;
    return answer(`${words} words`, { words });
  },
});

const root = mkdtempSync(join(tmpdir(), "custom-tool-"));
writeFileSync(join(root, "poem.txt"), "roses are red\nviolets are blue\n");

const holdfast = createHoldfast({ roots: [root], tools: [wordCount] });
for (const path of ["poem.txt", "../elsewhere.txt"]) {
  const { isError, text } = await holdfast.call("word_count", { path });
  console.log(isError ? "refused:" : "answered:", text.split("\n")[0]);
}
console.log(
  "listed:",
  holdfast.toolsFor("gemini").some(({ name }) => name === "word_count"),
);
holdfast.close();
