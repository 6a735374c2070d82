// Writes the install links into README.md; with --check, fails when those on disk differ.
import { readFileSync, writeFileSync } from "node:fs";
import { installLinks, withInstallLinks } from "./install-links.mjs";

const FILE = "README.md";

const links = installLinks(JSON.parse(readFileSync("package.json", "utf8")));
const written = readFileSync(FILE, "utf8");
const text = withInstallLinks(written, links);

if (!process.argv.includes("--check")) writeFileSync(FILE, text);
else if (written !== text) {
  console.error(`${FILE}: its install links are out of date; run "node scripts/write-install-links.mjs"`);
  process.exitCode = 1;
}
console.log(`${links.length} links`);
