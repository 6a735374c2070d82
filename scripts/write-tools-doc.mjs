// Writes docs/tools.md from the tools' schemas; with --check, fails when the file on disk differs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { compiled } from "./compiled.mjs";
import { toolsDoc } from "./tools-doc.mjs";

const DOC = "docs/tools.md";

const { BUILTIN_TOOLS: tools } = await compiled("src/tools/index.ts");
const { GROUPS, PROFILES } = await compiled("src/runtime/tools/profiles.ts");
const { isInProfile, matchesTool } = await compiled("src/runtime/tools/match-tool.ts");
if (tools.length === 0) throw new Error("src/tools/index.ts lists no tool");
const written = existsSync(DOC) ? readFileSync(DOC, "utf8") : undefined;
const profiles = Object.keys(PROFILES).map((name) => [name, tools.filter((tool) => isInProfile(name, tool))]);
const groups = [...GROUPS.keys()].map((name) => [name, tools.filter((tool) => matchesTool(name, tool))]);
const text = toolsDoc(tools, { profiles, groups });

if (!process.argv.includes("--check")) {
  mkdirSync("docs", { recursive: true });
  writeFileSync(DOC, text);
} else if (written !== text) {
  console.error(`${DOC}: differs from the tools; run "node scripts/write-tools-doc.mjs"`);
  process.exitCode = 1;
}
console.log(`${tools.length} tools`);
