// Builds dist/: the library by tsc, the bin by esbuild. With --if-needed, only when a source is newer than the bin.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { bundleBin } from "./bundle.mjs";
import { writeCodeCache } from "./code-cache.mjs";
import { writeLicenses } from "./licenses.mjs";

const INPUTS = ["src", "scripts", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
const BIN = "dist/holdfast.cjs";

if (!process.argv.includes("--if-needed") || isStale()) await build();

async function build() {
  rmSync("dist", { recursive: true, force: true });
  const { status } = spawnSync("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
  writeLicenses(await bundleBin(BIN));
  await writeCodeCache(BIN).catch(undo);
}

/** Half a build must not pass for a whole one the next time. */
function undo(error) {
  rmSync(BIN);
  throw error;
}

function isStale() {
  if (!existsSync(BIN)) return true;
  const built = statSync(BIN).mtimeMs;
  return INPUTS.flatMap(withContents).some((path) => statSync(path).mtimeMs > built);
}

/** Folders count too: deleting a file changes only its folder. */
function withContents(path) {
  if (!statSync(path).isDirectory()) return [path];
  return [path, ...readdirSync(path, { recursive: true }).map((name) => join(path, String(name)))];
}
