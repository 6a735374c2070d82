/** An esbuild plugin that leaves out zod's 264 kB of translations, which nothing here uses. */
export const englishOnly = {
  name: "english-only",
  setup(builder) {
    builder.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: `export { default as en } from "./en.js"`,
      resolveDir: "node_modules/zod/v4/locales",
    }));
  },
};
