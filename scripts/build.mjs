// Builds dist/: declarations with tsc and rolldown; the library, the bin and the console's page with esbuild. With
// --if-needed, builds only if a source is newer than the bin; with --only-this, keeps no earlier build for servers that
// still run it.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { bundleBin } from "./bundle/bundle.mjs";
import { writeCodeCache } from "./bundle/code-cache.mjs";
import { bundleViews } from "./bundle/app-views.mjs";
import { bundlePage } from "./bundle/console-page.mjs";
import { bundleDeclarations, bundleLibrary } from "./bundle/library.mjs";
import { bundleDocumentWorker } from "./bundle/document-worker.mjs";
import { writeLicenses } from "./licenses.mjs";
import { openStage, swapIn } from "./swap.mjs";

const INPUTS = ["src", "scripts", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
const DIST = "dist";
const BIN = join(DIST, "holdfast.cjs");
const INHERIT = /** @type {const} */ ({ stdio: "inherit" });

if (!process.argv.includes("--if-needed") || isStale()) await build();

/** Builds beside the existing build and swaps it in at the end, so that dist/ always holds a whole program. */
async function build() {
  const startedMs = Date.now();
  const stage = openStage(DIST);
  try {
    const declarations = join(stage, "declarations");
    const compiler = spawnSync(
      "node_modules/.bin/tsc",
      ["-p", "tsconfig.build.json", "--outDir", declarations],
      INHERIT,
    );
    if (compiler.status !== 0) return void (process.exitCode = 1);
    await Promise.all([bundleDeclarations(declarations, stage), bundleLibrary(stage)]);
    const bin = join(stage, "holdfast.cjs");
    writeLicenses(join(stage, "LICENSES.txt"), [
      await bundleBin(bin),
      await bundlePage(join(stage, "console")),
      await bundleDocumentWorker(join(stage, "document-worker.cjs")),
    ]);
    await bundleViews(join(stage, "views"));
    await writeCodeCache(bin);
    swapIn(stage, DIST, { startedMs, keepsReplaced: !process.argv.includes("--only-this") });
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function isStale() {
  if (!existsSync(BIN)) return true;
  const built = statSync(BIN).mtimeMs;
  return INPUTS.flatMap(withContents).some((path) => statSync(path).mtimeMs > built);
}

/** Returns the newest time of sources and folders: deleting a file changes only its folder. */
function withContents(path) {
  if (!statSync(path).isDirectory()) return [path];
  return [path, ...readdirSync(path, { recursive: true }).map((name) => join(path, String(name)))];
}
