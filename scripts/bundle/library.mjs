import { build } from "esbuild";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

const ENTRIES = ["index", "testing"];

/**
 * Bundles the library: a file for each entry and a few that they share, instead of one for each source. Packages that
 * it depends on stay imports, so that a program and the library share them.
 */
export async function bundleLibrary(folder) {
  await build({
    entryPoints: ENTRIES.map((name) => `src/${name}.ts`),
    outdir: folder,
    chunkNames: "library/[name]-[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    target: "node20",
    format: "esm",
    minify: true,
    lineLimit: 160,
    legalComments: "none",
    logLevel: "warning",
  });
}

/** Bundles the declarations that the compiler wrote to a folder: each entry with all that it mentions. */
export async function bundleDeclarations(declarations, folder) {
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((name) => [name, `${declarations}/${name}.d.ts`])),
    plugins: [dts({ dtsInput: true, tsconfig: false })],
    external: /^[^./]/,
    experimental: { attachDebugInfo: "none" },
    checks: { pluginTimings: false },
  });
  await bundle.write({ dir: folder, chunkFileNames: "library/[hash].d.ts" });
  await bundle.close();
}
