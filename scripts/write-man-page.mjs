// Writes man/holdfast.1 from the tables of commands and flags; with --check, fails when the file on disk differs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { compiled } from "./compiled.mjs";

const PAGE = "man/holdfast.1";

const { manPage } = await compiled("src/faces/cli/man-page.ts");
const text = manPage();
const written = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : undefined;

if (!process.argv.includes("--check")) {
  mkdirSync("man", { recursive: true });
  writeFileSync(PAGE, text);
} else if (written !== text) {
  console.error(`${PAGE}: differs from the commands; run "node scripts/write-man-page.mjs"`);
  process.exitCode = 1;
}
console.log(`${text.split("\n").length} lines`);
