import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const PAGE = "src/faces/console/page";
const MOST_GZIP_BYTES = 60_000;

/**
 * Bundles the console's page into one script and one style sheet, beside the files that need no build. The page must
 * stay small: it is loaded over tunnels, on phones. Returns esbuild's list of what went in.
 */
export async function bundlePage(folder) {
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    entryPoints: [
      { in: join(PAGE, "main.tsx"), out: "console" },
      { in: join(PAGE, "style/console.css"), out: "console" },
    ],
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    target: ["chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  });
  for (const name of ["index.html", "favicon.svg"]) copyFileSync(join(PAGE, name), join(folder, name));
  requireSmall(folder);
  return metafile;
}

function requireSmall(folder) {
  const files = ["console.js", "console.css"].map((name) => readFileSync(join(folder, name)));
  const bytes = files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0);
  if (bytes > MOST_GZIP_BYTES) throw new Error(`The console's page has ${bytes} bytes, at most ${MOST_GZIP_BYTES}`);
}
