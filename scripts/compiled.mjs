import { build } from "esbuild";
import { rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Compiles a source file, beside the packages it imports, and returns its exports. Node 20 cannot run TypeScript. */
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
