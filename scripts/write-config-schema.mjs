// Writes schema/holdfast.schema.json and docs/configuration.md from the configuration's schema; with --check, fails when
// a file on disk differs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { compiled } from "./compiled.mjs";
import { configDoc } from "./config-doc.mjs";

const { config } = await compiled("src/config/schema.ts");
const schema = { title: "Holdfast configuration", ...z.toJSONSchema(config, { io: "input" }) };
const files = {
  "schema/holdfast.schema.json": `${JSON.stringify(schema, null, 2)}\n`,
  "docs/configuration.md": configDoc(schema),
};

for (const [file, text] of Object.entries(files)) {
  if (!process.argv.includes("--check")) {
    mkdirSync("schema", { recursive: true });
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    console.error(`${file}: differs from src/config/schema.ts; run "node scripts/write-config-schema.mjs"`);
    process.exitCode = 1;
  }
}
console.log(`${Object.keys(schema.properties ?? {}).length} keys`);
