// Writes docs/errors.md from the table of error codes; with --check, fails when the file on disk differs.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { compiled } from "./compiled.mjs";
import { errorsDoc } from "./errors-doc.mjs";

const DOC = "docs/errors.md";

const { CODES: codes } = await compiled("src/base/errors.ts");
const written = existsSync(DOC) ? readFileSync(DOC, "utf8") : undefined;
const text = errorsDoc(codes);

if (!process.argv.includes("--check")) writeFileSync(DOC, text);
else if (written !== text) {
  console.error(`${DOC}: differs from the codes; run "node scripts/write-errors-doc.mjs"`);
  process.exitCode = 1;
}
console.log(`${Object.keys(codes).length} codes`);
