import { build } from "esbuild";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { englishOnly } from "./english-only.mjs";
import { lazyCommonJs } from "./lazy-commonjs.mjs";
import { lazyJsonSchema } from "./lazy-json-schema.mjs";

/** Bundles the command line for a fast start; a command imported by `import()` becomes a chunk read at its first use. */
export async function bundleBin(bin, entry = "src/faces/cli/main.ts") {
  const { metafile } = await build({
    entryPoints: [{ in: entry, out: "holdfast" }],
    outdir: dirname(bin),
    chunkNames: "chunks/[name]-[hash]",
    assetNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    minify: true,
    legalComments: "none",
    banner: { js: REQUIRE },
    external: optionalPackages(),
    plugins: [lazyJsonSchema, lazyCommonJs, englishOnly],
    metafile: true,
    logLevel: "warning",
  });
  makeExecutable(bin);
  return metafile;
}

/** Bundled CommonJS packages call `require` for Node's own modules; an ES module has none. */
const REQUIRE = `import{createRequire as createRequireHere}from"node:module";const require=createRequireHere(import.meta.url);`;

function optionalPackages() {
  const { optionalDependencies, peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  return Object.keys({ ...optionalDependencies, ...peerDependencies });
}

function makeExecutable(bin) {
  const code = readFileSync(bin, "utf8");
  if (!code.startsWith("#!")) writeFileSync(bin, `#!/usr/bin/env node\n${code}`);
  chmodSync(bin, 0o755);
}
