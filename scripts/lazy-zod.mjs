import { readFileSync } from "node:fs";

/** An esbuild plugin that makes zod interpret its schemas. Compiling each at its first use pays off only much later. */
export const lazyZod = {
  name: "lazy-zod",
  setup(builder) {
    builder.onLoad({ filter: /zod\/v4\/core\/core\.js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, "utf8")}\nglobalConfig.jitless = true;`,
    }));
  },
};
