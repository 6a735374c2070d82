import { build } from "esbuild";
import { optionalPackages } from "./bundle.mjs";
import { jsoncModule } from "./jsonc-module.mjs";

/** Bundles the thread that reads and edits documents into one file, for the program and the library. Large packages stay out. */
export async function bundleDocumentWorker(outfile) {
  const { metafile } = await build({
    entryPoints: ["src/content/documents/worker/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minify: true,
    lineLimit: 160,
    legalComments: "none",
    logLevel: "warning",
    external: optionalPackages(),
    plugins: [jsoncModule],
    metafile: true,
  });
  return metafile;
}
