// Writes schema/holdfast.schema.json from the configuration's schema; with --check, fails when the file on disk differs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { compiled } from "./compiled.mjs";

const FILE = "schema/holdfast.schema.json";

const { config } = await compiled("src/config/schema.ts");
const schema = { title: "Holdfast configuration", ...z.toJSONSchema(config, { io: "input" }) };
const text = `${JSON.stringify(schema, null, 2)}\n`;

if (!process.argv.includes("--check")) {
  mkdirSync("schema", { recursive: true });
  writeFileSync(FILE, text);
} else if (!existsSync(FILE) || readFileSync(FILE, "utf8") !== text) {
  console.error(`${FILE}: differs from src/config/schema.ts; run "node scripts/write-config-schema.mjs"`);
  process.exitCode = 1;
}
console.log(`${Object.keys(schema.properties ?? {}).length} keys`);
