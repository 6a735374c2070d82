// Writes docs/api.md from the declarations that the build makes; with --check, fails when the file on disk differs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { apiDoc } from "./api-doc.mjs";

const DOC = "docs/api.md";
const ENTRY = "dist/declarations/index.d.ts";
const TESTING = "dist/declarations/testing.d.ts";

if (!existsSync(ENTRY)) throw new Error(`${ENTRY} is missing; run "npm run build"`);
const { text, count } = await apiDoc(process.cwd(), ENTRY, existsSync(TESTING) ? TESTING : undefined);
if (count === 0) throw new Error(`${ENTRY} exports nothing`);
const written = existsSync(DOC) ? readFileSync(DOC, "utf8") : undefined;

if (!process.argv.includes("--check")) {
  mkdirSync("docs", { recursive: true });
  writeFileSync(DOC, text);
} else if (written !== text) {
  console.error(`${DOC}: differs from what is exported; run "npm run build && node scripts/write-api-doc.mjs"`);
  process.exitCode = 1;
}
console.log(`${count} exports`);
