// The main file of jsonc-parser is UMD: Node gives it a default export only, and esbuild does not find its inner files.
/** An esbuild plugin that bundles the ES modules of jsonc-parser, with the same default export. */
export const jsoncModule = {
  name: "jsonc-module",
  setup(builder) {
    builder.onResolve({ filter: /^jsonc-parser$/ }, ({ path }) => ({ path, namespace: "jsonc-module" }));
    builder.onLoad({ filter: /./, namespace: "jsonc-module" }, () => ({
      contents: `import { ${USED} } from "./jsonc-parser/lib/esm/main.js";\nexport default { ${USED} };`,
      resolveDir: "node_modules",
    }));
  },
};

const USED = "getNodeValue, parseTree, printParseErrorCode, visit";
