// Writes docs/tools.md from the tools' schemas; with --check, fails when the file on disk differs.
import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { toolsDoc } from "./tools-doc.mjs";

const DOC = "docs/tools.md";
const COMPILED = resolve(`node_modules/.cache/holdfast/tools-${process.pid}.mjs`);

const tools = await builtinTools();
if (tools.length === 0) throw new Error("src/tools/index.ts lists no tool");
const written = existsSync(DOC) ? readFileSync(DOC, "utf8") : undefined;
const text = toolsDoc(tools);

if (!process.argv.includes("--check")) {
  mkdirSync("docs", { recursive: true });
  writeFileSync(DOC, text);
} else if (written !== text) {
  console.error(`${DOC}: differs from the tools; run "node scripts/write-tools-doc.mjs"`);
  process.exitCode = 1;
}
console.log(`${tools.length} tools`);

/** Node cannot run TypeScript yet, so the tool list is compiled first, beside the packages it imports. */
async function builtinTools() {
  await build({
    entryPoints: ["src/tools/index.ts"],
    outfile: COMPILED,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  try {
    const { BUILTIN_TOOLS } = await import(pathToFileURL(COMPILED).href);
    return BUILTIN_TOOLS;
  } finally {
    rmSync(COMPILED);
  }
}
