// Writes server.json, which describes the package to the MCP registry; with --check, fails when the file on disk differs.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const FILE = "server.json";
const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

const text = `${JSON.stringify(described(JSON.parse(readFileSync("package.json", "utf8"))), null, 2)}\n`;
const written = existsSync(FILE) ? readFileSync(FILE, "utf8") : undefined;

if (!process.argv.includes("--check")) writeFileSync(FILE, text);
else if (written !== text) {
  console.error(`${FILE}: differs from package.json; run "node scripts/write-server-json.mjs"`);
  process.exitCode = 1;
}
console.log(`${text.split("\n").length} lines`);

function described({ name, mcpName, version, description, repository }) {
  return {
    $schema: SCHEMA,
    name: mcpName,
    title: "Holdfast",
    description,
    version,
    repository: { url: repository.url.replace(/^git\+|\.git$/g, ""), source: "github" },
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        packageArguments: [
          {
            type: "positional",
            valueHint: "directory",
            description: "A directory that the agent may read and change",
            format: "filepath",
            isRequired: true,
            isRepeated: true,
          },
        ],
      },
    ],
  };
}
