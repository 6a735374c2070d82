import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { plant, run } from "./script.ts";

const DIST = {
  "dist/declarations/index.d.ts":
    'export { open, type Opened } from "./open.ts";\nexport type { Way } from "./way.ts";\n',
  "dist/declarations/open.d.ts":
    "/** What is open. */\nexport interface Opened {\n    readonly at: string;\n}\n/**\n * Opens it.\n * Throws.\n */\nexport declare function open(path: string): Opened;\n",
  "dist/declarations/way.d.ts": "export type Way = string;\n",
};

it("fails until the reference on disk is what is exported", () => {
  const root = plant({ ...DIST, "docs/api.md": "# API\n" });
  expect(run("write-api-doc.mjs", root, "--check")).toMatchObject({
    passed: false,
    output: expect.stringContaining("docs/api.md: differs"),
  });
  expect(run("write-api-doc.mjs", root)).toMatchObject({ passed: true });
  expect(run("write-api-doc.mjs", root, "--check")).toEqual({ passed: true, output: "3 exports\n" });
  expect(readFileSync(join(root, "docs/api.md"), "utf8").split("## Functions and values\n")[1]).toBe(
    [
      "\n### `open`\n\nOpens it.\nThrows.\n\n```ts\nfunction open(path: string): Opened;\n```\n",
      "## Types\n\n### `Opened`\n\nWhat is open.\n\n```ts\ninterface Opened {\n  readonly at: string;\n}\n```\n",
      "### `Way`\n\n```ts\ntype Way = string;\n```\n",
    ].join("\n"),
  );
});

it.each([
  { name: "nothing was built", files: {} },
  { name: "nothing is exported", files: { "dist/declarations/index.d.ts": "export {};\n" } },
  { name: "an export is declared nowhere", files: { ...DIST, "dist/declarations/way.d.ts": "export {};\n" } },
])("fails when $name", ({ files }) => {
  expect(run("write-api-doc.mjs", plant(files), "--check")).toMatchObject({ passed: false });
});
