import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadPlugins } from "../../src/plugins/load.ts";
import { scratch } from "../runtime/scratch.ts";

const files = (texts: Readonly<Record<string, string>>): readonly string[] => {
  const home = dirname(scratch());
  mkdirSync(join(home, "plugins"));
  return Object.entries(texts).map(([name, text]) => {
    const file = join(home, "plugins", name);
    writeFileSync(file, text);
    return file;
  });
};

const good = `export default ({ defineTool, answer, READ_ONLY, z }) => ({
  id: "good",
  tools: [defineTool({ name: "hello", title: "Hello", description: "Greets.", annotations: READ_ONLY,
    input: z.strictObject({}), output: z.object({}), plan: async () => answer("hello", {}) })],
});`;

describe("modules", () => {
  it.each([
    { name: "syntax error", text: "export default {", says: "it does not load: " },
    { name: "throws", text: "throw new Error('boom')", says: "it does not load: Error: boom" },
    {
      name: "throws when made",
      text: "export default () => { throw new Error('boom') }",
      says: "it does not load: Error: boom",
    },
    { name: "no default export", text: "export const id = 'x'", says: "it has no default export" },
    { name: "imports what is not there", text: "import 'no-such-package'", says: "it does not load: Error" },
    { name: "never ready", text: "await new Promise(() => {})", says: "it took longer than 5 s to load" },
    { name: "no plugin", text: "export default 7", says: "it must be an object, not a number" },
  ])("$name: told, and the others are loaded", async ({ text, says }) => {
    const warnings: string[] = [];
    const [bad, fine] = files({ "bad.mjs": text, "good.mjs": good });
    const plugins = await loadPlugins([String(bad), String(fine)], (message) => warnings.push(message));
    expect(plugins.map(({ id }) => id)).toEqual(["good"]);
    expect(warnings).toEqual([expect.stringContaining(`Skipped the plugin ${JSON.stringify(bad)}: `)]);
    expect(warnings[0]).toContain(says);
  });

  it("that are not there are told, too", async () => {
    const warnings: string[] = [];
    expect(await loadPlugins(["/does/not/exist.mjs"], (message) => warnings.push(message))).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining(
        'Skipped the plugin "/does/not/exist.mjs": it does not load: there is no file "/does/not/exist.mjs"',
      ),
    ]);
  });
});
