// A dialect: the tools of another system, each made of native calls. Run: node examples/dialect.mjs
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHoldfast, dialectTool, READ_ONLY, textAnswer } from "holdfast";
import * as z from "zod";

/** @type {import("holdfast").Dialect} */
const shell = {
  name: "shell",
  tools: [
    dialectTool({
      name: "cat",
      title: "Show a file",
      description: "Print a file.",
      annotations: READ_ONLY,
      input: z.strictObject({ file: z.string() }),
      uses: ["read"],
      run: async ({ file }, native) => textAnswer((await native.call("read", { path: file })).content ?? ""),
    }),
  ],
  answerFault: (fault, { tool }) => textAnswer(`${tool}: ${fault.code.replaceAll("_", " ")}`),
};

const root = mkdtempSync(join(tmpdir(), "dialect-"));
writeFileSync(join(root, "poem.txt"), "roses are red\n");

const holdfast = createHoldfast({ roots: [root], dialect: shell });
for (const file of ["poem.txt", "../elsewhere.txt"]) {
  const { isError, text } = await holdfast.call("cat", { file });
  console.log(isError ? "refused:" : "answered:", text.trimEnd());
}
holdfast.close();
