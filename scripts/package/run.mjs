// Makes one package: npm run package -- mcpb | docker [image] | sea. Prints what it made and how large it is.
import { mkdirSync, statSync } from "node:fs";
import { buildImage } from "./docker.mjs";
import { packBundle } from "./mcpb.mjs";
import { packExecutable } from "./sea.mjs";

const FOLDER = "packages";
const PACKAGES = { mcpb: packBundle, docker: buildImage, sea: packExecutable };

const [kind = "", ...words] = process.argv.slice(2);
const pack = Object.hasOwn(PACKAGES, kind) ? PACKAGES[/** @type {keyof typeof PACKAGES} */ (kind)] : undefined;
if (pack) await make();
else {
  console.error(`Name what to make: ${Object.keys(PACKAGES).join(", ")}`);
  process.exitCode = 2;
}

async function make() {
  mkdirSync(FOLDER, { recursive: true });
  const made = await pack?.(FOLDER, words);
  const size = statSync(made ?? "", { throwIfNoEntry: false })?.size;
  console.log(size === undefined ? made : `${made} (${(size / 1e6).toFixed(1)} MB)`);
}
