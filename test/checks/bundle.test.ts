import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { plant } from "./script.ts";

it("starts without the JSON Schema validator, and loads the real one when asked to validate", async () => {
  const bin = await bundle(`
    import { fromJsonSchema } from "@modelcontextprotocol/server";
    const schema = fromJsonSchema({ type: "object", properties: { yes: { type: "boolean" } } });
    for (const yes of [true, "no"]) console.log(JSON.stringify(await schema["~standard"].validate({ yes })));
  `);
  expect(execFileSync(bin, { encoding: "utf8" })).toBe(
    '{"value":{"yes":true}}\n{"issues":[{"message":"data/yes must be boolean"}]}\n',
  );
  expect(readdirSync(join(bin, "../chunks"))).toEqual([expect.stringMatching(/^json-schema-.*\.cjs$/)]);
  expect(readFileSync(bin, "utf8")).not.toContain("strict mode: ");
});

it("gives a lazily imported CommonJS package the exports it has in Node", async () => {
  const bin = await bundle(`
    const { default: all, detect } = await import("chardet");
    console.log(detect(Buffer.from("plain")), all.detect === detect);
  `);
  expect(execFileSync(bin, { encoding: "utf8" })).toBe("ASCII true\n");
});

async function bundle(main: string): Promise<string> {
  const root = plant({ "package.json": '{ "type": "module" }', "main.ts": main });
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  const { bundleBin } = await import(pathToFileURL(resolve("scripts/bundle.mjs")).href);
  const bin = join(root, "dist/holdfast.js");
  await bundleBin(bin, join(root, "main.ts"));
  return bin;
}
