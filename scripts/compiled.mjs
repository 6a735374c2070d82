import { build } from "esbuild";
import { rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** What a source file exports. Node cannot run TypeScript yet: it is compiled first, beside the packages it imports. */
export async function compiled(entry) {
  const outfile = resolve(`node_modules/.cache/holdfast/${basename(entry, ".ts")}-${process.pid}.mjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
}
