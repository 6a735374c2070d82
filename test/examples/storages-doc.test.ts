import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { scratch, stateBeside } from "../runtime/scratch.ts";

/** Programs of the page that are examples, which `examples.test.ts` runs. The others import one of them. */
const EXAMPLES = ["table-store.mjs", "own-storage.test.mjs"].map((name) => ({
  name,
  text: readFileSync(join("examples", name), "utf8"),
}));

const SHOWN = [...readFileSync("docs/storages.md", "utf8").matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ([, language = "", text = ""]) => ({ language, text }),
);

const PROGRAMS = SHOWN.filter(({ text }) => !EXAMPLES.some((example) => example.text === text));

it("the page shows programs only", () => {
  expect(SHOWN.map(({ language }) => language)).toEqual(SHOWN.map(() => "js"));
  expect(SHOWN.length - PROGRAMS.length).toBe(EXAMPLES.length);
  expect(PROGRAMS.length).toBeGreaterThan(0);
});

it.each(PROGRAMS)("runs as a newcomer saves it: $text", async ({ text }) => {
  const folder = scratch();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve("."), join(folder, "node_modules/holdfast"));
  for (const { name, text: example } of EXAMPLES) writeFileSync(join(folder, name), example);
  writeFileSync(join(folder, "program.mjs"), text);
  const env = { ...process.env, HOLDFAST_STATE: stateBeside(folder) };
  const { stderr } = await promisify(execFile)(process.execPath, ["program.mjs"], { cwd: folder, env });
  expect(stderr).toBe("");
});
