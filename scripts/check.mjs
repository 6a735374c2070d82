// Runs every gate, prints a line for each and what a failing one found. Fails when any gate fails.
import { spawnSync } from "node:child_process";
import { delimiter, resolve } from "node:path";

const GATES = {
  format: "oxfmt --check",
  lint: "oxlint --type-aware --deny-warnings --format=unix",
  types: "tsc",
  "page types": "tsc -p src/faces/console/page",
  "view types": "tsc -p src/faces/mcp/views",
  "script types": "tsc -p tsconfig.scripts.json",
  layers: "node scripts/check-layers.mjs",
  cycles: "node scripts/check-cycles.mjs",
  size: "node scripts/check-size.mjs",
  "unused code": "knip --no-config-hints",
  documents: "node scripts/check-docs.mjs",
  "plain words": "node scripts/check-words.mjs",
  "document lines": "node scripts/check-doc-lines.mjs",
  "tool reference": "node scripts/write-tools-doc.mjs --check",
  "error reference": "node scripts/write-errors-doc.mjs --check",
  "config schema": "node scripts/write-config-schema.mjs --check",
  "man page": "node scripts/write-man-page.mjs --check",
  "server.json": "node scripts/write-server-json.mjs --check",
  "install links": "node scripts/write-install-links.mjs --check",
  "no machine names": "node scripts/check-portable.mjs",
  version: "node scripts/check-version.mjs",
  build: "node scripts/build.mjs --if-needed",
  "api reference": "node scripts/write-api-doc.mjs --check",
  walks: "node scripts/trace-call.mjs --check",
  package: "node scripts/check-package.mjs",
};

const PATH = [resolve("node_modules/.bin"), process.env["PATH"]].join(delimiter);

const failed = Object.entries(GATES).filter(([name, command]) => !passes(name, command));
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.map(([name]) => name).join(", ")}`);
  process.exitCode = 1;
}

function passes(name, command) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(command, {
    shell: true,
    encoding: "utf8",
    env: { ...process.env, PATH, NO_COLOR: "1" },
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name.padEnd(17)}${seconds.padStart(5)} s`);
  if (status !== 0) console.error(`${stdout}${stderr}`.trimEnd().replaceAll(/^/gm, "     "));
  return status === 0;
}
