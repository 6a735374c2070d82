// The SDK's server validates JSON Schema only when a client answers a form, yet imports Ajv at the start (150 kB).
// The bundle gets a lazy validator that loads the same code at its first use; the SDK calls it synchronously, so that
// code is a CommonJS file beside the chunks.
import { build } from "esbuild";

/** An esbuild plugin that makes the MCP server load its JSON Schema validator at the first use, not at the start. */
export const lazyJsonSchema = {
  name: "lazy-json-schema",
  setup(builder) {
    builder.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => inPlugin("shims"));
    builder.onResolve({ filter: /^holdfast:json-schema$/ }, () => inPlugin("json-schema.cjs"));
    builder.onLoad({ filter: /^shims$/, namespace: "lazy-json-schema" }, () => ({ contents: LAZY_VALIDATOR }));
    builder.onLoad({ filter: /^json-schema\.cjs$/, namespace: "lazy-json-schema" }, async () => ({
      contents: await bundledValidator(),
      loader: "copy",
    }));
  },
};

const inPlugin = (path) => ({ path, namespace: "lazy-json-schema" });

const LAZY_VALIDATOR = `
  import process from "node:process";
  class LazyJsonSchemaValidator {
    getValidator(schema) {
      this.validator ??= new (require("holdfast:json-schema").AjvJsonSchemaValidator)();
      return this.validator.getValidator(schema);
    }
  }
  export { LazyJsonSchemaValidator as DefaultJsonSchemaValidator, process };
`;

async function bundledValidator() {
  const result = await build({
    stdin: {
      contents: `export { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv"`,
      resolveDir: ".",
    },
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minify: true,
    write: false,
    legalComments: "none",
  });
  return result.outputFiles[0]?.contents;
}
