import { build } from "esbuild";
import { createHash } from "node:crypto";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { jsoncModule } from "./jsonc-module.mjs";
import { lazyChunks } from "./lazy-chunks.mjs";
import { withoutLocales } from "./without-locales.mjs";

/**
 * Bundles the command line for a fast start: one file holds all that is imported statically, a chunk what an `import()`
 * asks for. The bin itself is a small loader. All of it is CommonJS, which Node loads faster and V8 can cache.
 * Plugins of esbuild see the sources first.
 */
export async function bundleBin(bin, entry = "src/faces/cli/main.ts", plugins = []) {
  const folder = join(dirname(bin), "chunks");
  const metafile = await split(entry, folder, plugins);
  const { atStart, later, unused } = partsOf(metafile.outputs);
  const start = await writeStart(folder, atStart);
  await toCommonJs(folder, later);
  for (const name of later) takeShared(join(folder, name), atStart, start);
  for (const name of [ENTRY, ...atStart, ...unused]) rmSync(join(folder, name));
  await writeLoader(bin, start);
  return metafile;
}

/** Bundles the command line into one file, a function as Node wraps a module, for a place that has no other files. */
export async function bundleWhole(file, entry = "src/faces/cli/main.ts") {
  await build({
    ...COMMON_JS,
    entryPoints: [entry],
    outfile: file,
    external: optionalPackages().filter((name) => !IN_BUNDLE.has(name)),
    banner: { js: `${WRAPPER}${PROLOGUE}` },
    footer: { js: "})" },
    plugins: [jsoncModule, withoutLocales],
  });
}

const ENTRY = "entry.cjs";
/** An optional package that is plain code, without files of its own. */
const IN_BUNDLE = new Set(["@xterm/headless"]);
const WRAPPER = "(function(exports,require,module,__filename,__dirname){";
const NODE = /** @type {const} */ ({
  bundle: true,
  platform: "node",
  target: "node20",
  legalComments: "none",
  logLevel: "warning",
});
/** Limits the line length, because Node prints the whole line of an uncaught error. */
const COMMON_JS = /** @type {const} */ ({
  ...NODE,
  format: "cjs",
  minify: true,
  lineLimit: 160,
  // Two find their prebuilt files beside them, and the third is large. Others stay in the bundle: Node 20.19 warns of an
  // import from a script.
  external: /** @type {string[]} */ (["@xterm/headless", "sharp", "zigpty"]),
  define: { "import.meta.url": "importMetaUrl" },
});
const PROLOGUE = `"use strict";var importMetaUrl=require("node:url").pathToFileURL(__filename).href;`;

/** Splits into ES modules first, because esbuild can split nothing else, and converts those to CommonJS. */
async function split(entry, folder, plugins) {
  const { metafile } = await build({
    ...NODE,
    entryPoints: [{ in: entry, out: basename(ENTRY, ".cjs") }],
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    chunkNames: "[name]-[hash]",
    splitting: true,
    format: "esm",
    external: optionalPackages(),
    plugins: [jsoncModule, withoutLocales, ...plugins],
    metafile: true,
  });
  return metafile;
}

export function optionalPackages() {
  const { optionalDependencies, peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  return Object.keys({ ...optionalDependencies, ...peerDependencies });
}

/** Sorts chunks into those that the entry imports statically, those behind an `import()`, and unreachable ones. */
function partsOf(outputs) {
  const imports = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output.imports]));
  const reached = (...kinds) => {
    const names = new Set([ENTRY]);
    for (const name of names)
      for (const { kind, path } of imports.get(name) ?? [])
        if (kinds.includes(kind) && imports.has(basename(path))) names.add(basename(path));
    return [...names].slice(1);
  };
  const atStart = reached("import-statement");
  const later = reached("import-statement", "dynamic-import").filter((name) => !atStart.includes(name));
  const used = new Set([ENTRY, ...reached("import-statement", "dynamic-import", "require-call")]);
  return { atStart, later, unused: [...imports.keys()].filter((name) => !used.has(name)) };
}

/** Joins chunks into one function, as Node wraps a module, which exports what later chunks share with it. */
async function writeStart(folder, shared) {
  const exported = shared.map((name) => `export * as ${JSON.stringify(name)} from "./${name}";`);
  const text = await bundled({
    ...COMMON_JS,
    stdin: { contents: [readFileSync(join(folder, ENTRY), "utf8"), ...exported].join("\n"), resolveDir: folder },
    banner: { js: `${WRAPPER}${PROLOGUE}` },
    footer: { js: "})" },
    plugins: [lazyChunks({ joined: true })],
  });
  requireAscii(text);
  const name = `start-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.cjs`;
  writeFileSync(join(folder, name), text);
  return name;
}

/** Escapes characters that are not ASCII: the loader reads Latin-1, which is faster. Regular expressions must use \u. */
function requireAscii(text) {
  const odd = /.{0,40}[\u0080-\uffff].{0,20}/.exec(text);
  if (odd) throw new Error(`Cannot load what is not ASCII: ${odd[0]}`);
}

async function bundled(options) {
  const { outputFiles } = await build({ ...options, write: false });
  return outputFiles?.[0]?.text ?? "";
}

async function toCommonJs(folder, names) {
  await build({
    ...COMMON_JS,
    entryPoints: names.map((name) => join(folder, name)),
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    allowOverwrite: true,
    banner: { js: PROLOGUE },
    plugins: [lazyChunks({ joined: false })],
  });
}

/** Lets a later chunk take shared code from the start file, so that no module runs twice. */
function takeShared(file, shared, start) {
  const text = readFileSync(file, "utf8");
  const taken = shared.reduce(
    (all, name) => all.replaceAll(`require("./${name}")`, `require("./${start}")["${name}"]`),
    text,
  );
  writeFileSync(file, taken);
}

async function writeLoader(bin, start) {
  const loader = fileURLToPath(new URL("loader.mjs", import.meta.url));
  const text = await bundled({ ...NODE, entryPoints: [loader], format: "cjs" });
  writeFileSync(bin, text.replace("START.cjs", start));
  chmodSync(bin, 0o755);
}
