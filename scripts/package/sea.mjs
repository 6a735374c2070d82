import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "postject";
import { bundleWhole } from "../bundle/bundle.mjs";
import { copyOptional, packageJson } from "./program.mjs";

/** Marks the place in Node's binary that says whether something was injected. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** Keeps Node from reporting on standard error which of its features are new. */
const QUIET = { disableExperimentalSEAWarning: true, execArgv: ["--disable-warning=ExperimentalWarning"] };

/**
 * Makes one executable that needs no Node, from the Node that is named, else from this one. It runs alone; the native
 * packages beside it add ripgrep, and views that let `undo` take back what commands did. Returns the executable's path.
 * @param {string} packages
 * @param {string[]} words
 */
export async function packExecutable(packages, [node = process.execPath]) {
  const folder = resolve(packages, `holdfast-${packageJson().version}-${process.platform}-${process.arch}`);
  const stage = mkdtempSync(join(tmpdir(), "holdfast-sea-"));
  try {
    rmSync(folder, { recursive: true, force: true });
    copyOptional(join(folder, "node_modules"));
    for (const name of ["LICENSE", "dist/LICENSES.txt"]) copyFileSync(name, join(folder, basename(name)));
    const file = join(folder, "holdfast");
    copyFileSync(node, file);
    chmodSync(file, 0o755);
    run("strip", [file]);
    await inject(file, "NODE_SEA_BLOB", readFileSync(await writeBlob(stage, node)), { sentinelFuse: FUSE });
    return file;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Writes what is put into Node: a loader, and as assets the program, the worker of documents, and pages. */
async function writeBlob(stage, node) {
  const [program, loader, blob] = [join(stage, "program.cjs"), join(stage, "loader.cjs"), join(stage, "holdfast.blob")];
  await bundleWhole(program);
  const entry = fileURLToPath(new URL("sea-loader.mjs", import.meta.url));
  await build({ entryPoints: [entry], outfile: loader, bundle: true, platform: "node", format: "cjs", minify: true });
  const names = ["document-worker.cjs", ...["console", "views"].flatMap(filesIn)];
  const assets = { program, ...Object.fromEntries(names.map((name) => [name, resolve("dist", name)])) };
  const config = join(stage, "sea.json");
  writeFileSync(config, JSON.stringify({ main: loader, output: blob, assets, ...QUIET }));
  run(node, ["--experimental-sea-config", config]);
  return blob;
}

const filesIn = (folder) => readdirSync(join("dist", folder)).map((name) => `${folder}/${name}`);

function run(program, words) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`Cannot make the executable: ${program} failed\n${error ?? `${stdout}${stderr}`}`);
}
