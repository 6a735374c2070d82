/**
 * An esbuild plugin that turns chunks into CommonJS: `import()` of a chunk becomes a `require` at that moment, because
 * Node would give it other exports. Static imports of chunks are joined into one file, or stay.
 */
export const lazyChunks = ({ joined }) => ({
  name: "lazy-chunks",
  setup(builder) {
    builder.onResolve({ filter: /^\.\// }, ({ path, kind, namespace }) => {
      if (kind === "entry-point") return undefined;
      if (kind === "dynamic-import") return { path, namespace: "lazy-chunks" };
      return joined && namespace !== "lazy-chunks" ? undefined : { path, external: true };
    });
    builder.onLoad({ filter: /./, namespace: "lazy-chunks" }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }));
  },
});
