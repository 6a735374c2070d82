import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { blackPng, gifOf, tiffOf } from "../content/images/made.ts";
import { scratch } from "../runtime/scratch.ts";
import { BIN } from "./bin.ts";

const LIBRARY = pathToFileURL(join(dirname(BIN), "index.js")).href;

/** Makes the optional package unknown to a process, as it is where it was not installed. */
const WITHOUT_SHARP = `
  const hook = "export const resolve = (name, context, next) => { if (name === 'sharp') throw new Error('unknown'); return next(name, context); }";
  (await import("node:module")).register("data:text/javascript," + encodeURIComponent(hook));
`;

const SETUP = `
  const { createHoldfast, sanitizeToolResultImages } = await import(${JSON.stringify(LIBRARY)});
  const holdfast = createHoldfast({ roots: [process.argv[1]], stateDirectory: process.argv[1] + "-state" });
  const read = async (input) => { const { data } = await holdfast.call("read", input); return data.error?.message ?? data.notes ?? data.content; };
  const loaded = () => process.report.getReport().sharedObjects.some((file) => /sharp|vips/.test(file));
`;

/** Runs a program in a process of its own, and returns what it prints as JSON. */
async function printedBy(root: string, ...lines: readonly string[]): Promise<unknown> {
  const program = [...lines, "await holdfast.close();"].join("\n");
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program, root]);
  return JSON.parse(stdout);
}

describe("the package that decodes images", () => {
  it("is loaded for the first image that needs it, and for nothing else", async () => {
    const root = scratch({ "a.txt": "a\n", "small.png": blackPng(20, 10), "wide.png": blackPng(2400, 10) });
    const seen = await printedBy(
      root,
      SETUP,
      `const seen = [await read({ path: "a.txt" }), await read({ path: "small.png" }), loaded()];`,
      `console.log(JSON.stringify([...seen, (await read({ path: "wide.png" })).length, loaded()]));`,
    );
    expect(seen).toEqual(["a\n", ["image/png of 20x10 pixels, 69 bytes"], false, 2, true]);
  });

  it("can be missing: what fits is shown, for the rest there is a command", async () => {
    const root = scratch({
      "small.png": blackPng(20, 10),
      "moving.gif": gifOf(3),
      "wide.png": blackPng(2400, 10),
      "scan.tif": tiffOf("II", [[3, 4]]),
      "cut.png": blackPng(20, 10).subarray(0, 60),
      "a.svg": '<svg width="1" height="1"/>',
    });
    const wide = blackPng(1201, 1).toString("base64");
    const seen = await printedBy(
      root,
      WITHOUT_SHARP,
      SETUP,
      `const seen = [];`,
      `for (const path of ["small.png", "moving.gif", "wide.png", "scan.tif", "cut.png"]) seen.push(await read({ path }));`,
      `seen.push(await read({ path: "a.svg", as: "image" }));`,
      `const content = [{ type: "image", data: "${wide}", mimeType: "image/png" }];`,
      `seen.push((await sanitizeToolResultImages({ content })).content);`,
      `console.log(JSON.stringify(seen));`,
    );
    const needs = "needs the package sharp: npm install sharp";
    expect(seen).toEqual([
      ["image/png of 20x10 pixels, 69 bytes"],
      ["image/gif of 1x1 pixels, 89 bytes", "Animated: 3 frames"],
      `Cannot show image/png of 2400x10 pixels: making it smaller ${needs}`,
      `Cannot show image/tiff of 3x4 pixels: converting it ${needs}`,
      `Cannot show image/png of 20x10 pixels: repairing it ${needs}`,
      `Cannot render image/svg+xml: rendering it ${needs}`,
      [{ type: "text", text: `[image omitted: image/png of 1201x1 pixels: making it smaller ${needs}]` }],
    ]);
  });
});
