import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { CODES } from "../../src/base/errors.ts";
import { plant, run } from "./script.ts";

const sources = (codes: object): string => `export const CODES = ${JSON.stringify(codes)};\n`;

function plantCodes(codes: object): string {
  const root = plant({ "src/base/errors.ts": sources(codes), "docs/errors.md": "# Error codes\n" });
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  return root;
}

it("fails until the reference on disk is what the codes say", () => {
  const root = plantCodes(CODES);
  expect(run("write-errors-doc.mjs", root, "--check")).toMatchObject({
    passed: false,
    output: expect.stringContaining("docs/errors.md: differs"),
  });

  expect(run("write-errors-doc.mjs", root)).toMatchObject({ passed: true });
  expect(run("write-errors-doc.mjs", root, "--check")).toMatchObject({ passed: true });
  const { kind, hint } = CODES.not_found;
  expect(readFileSync(join(root, "docs/errors.md"), "utf8")).toMatch(
    new RegExp(`^\\| \`not_found\` \\| ${kind} \\| [^|]+ \\| ${hint} \\|$`, "m"),
  );

  writeFileSync(join(root, "src/base/errors.ts"), sources({ ...CODES, not_found: { kind, hint: "Look again" } }));
  expect(run("write-errors-doc.mjs", root, "--check")).toMatchObject({ passed: false });
});

it("fails when a code has no meaning", () => {
  const root = plantCodes({ ...CODES, new_code: { kind: "input", hint: "Try again" } });
  expect(run("write-errors-doc.mjs", root)).toMatchObject({
    passed: false,
    output: expect.stringContaining("codes without meaning: [new_code]"),
  });
});
