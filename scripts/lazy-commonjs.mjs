// Node gives `await import()` of a CommonJS package its named exports; a chunk made by esbuild has only a default.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** An esbuild plugin that gives a lazily imported CommonJS package the same exports in the bundle as in Node. */
export const lazyCommonJs = {
  name: "lazy-commonjs",
  setup(builder) {
    builder.onResolve({ filter: /^[^.]/ }, async ({ path, kind, importer, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const found = await builder.resolve(path, { kind: "import-statement", importer, resolveDir });
      return isCommonJs(found) ? { path: found.path, namespace: "lazy-commonjs" } : found;
    });
    builder.onLoad({ filter: /./, namespace: "lazy-commonjs" }, async ({ path }) => ({
      contents: await reexport(path),
      resolveDir: dirname(path),
    }));
  },
};

const isCommonJs = ({ external, namespace, path }) => !external && namespace === "file" && !isModule(path);

function isModule(path) {
  return path.endsWith(".mjs") || (path.endsWith(".js") && packageOf(dirname(path)).type === "module");
}

function packageOf(folder) {
  const file = join(folder, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : packageOf(dirname(folder));
}

async function reexport(path) {
  const names = Object.keys(await import(pathToFileURL(path).href)).filter((name) => !NOT_NAMED.includes(name));
  return `const all = require(${JSON.stringify(path)});\nexport default all;\nexport const { ${names.join(", ")} } = all;`;
}

const NOT_NAMED = ["default", "module.exports", "__esModule"];
