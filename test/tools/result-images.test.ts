import { describe, expect, it } from "vitest";
import { imageFactsOf } from "../../src/content/images/header.ts";
import { checkedPlugins } from "../../src/plugins/check-plugins.ts";
import { call } from "../../src/runtime/pipeline/call.ts";
import { sanitizeToolResultImages } from "../../src/tools/result-images.ts";
import { answer, type Block, outward, OUTWARD } from "../../src/tools/tool.ts";
import { blackPng } from "../content/images/made.ts";
import { appOn, callerOf, scratch } from "../runtime/scratch.ts";
import { wanting } from "../plugins/tool.ts";

const base64 = (width: number, height = 10): string => blackPng(width, height).toString("base64");
const image = (data: string, mimeType = "image/png") => ({ type: "image", data, mimeType });

/** Returns the size and type of each image, and each text as it is. */
const shownIn = ({ content }: { readonly content: readonly object[] }): readonly unknown[] =>
  content.map((part) => {
    if (!("data" in part) || !("mimeType" in part)) return "text" in part ? part.text : part;
    const facts = imageFactsOf(Buffer.from(String(part.data), "base64"));
    return `${String(part.mimeType)} ${facts?.width}x${facts?.height}`;
  });

describe("images in the result of a tool", () => {
  it.each([
    { name: "one that fits", content: [image(base64(1200))], gives: ["image/png 1200x10"] },
    { name: "a wider one", content: [image(base64(2400))], gives: ["image/png 1200x5"] },
    {
      name: "a narrower limit",
      content: [image(base64(1200))],
      limits: { maxDimensionPx: 100 },
      gives: ["image/png 100x1"],
    },
    { name: "a wrong type", content: [image(base64(20), "image/jpeg")], gives: ["image/png 20x10"] },
    { name: "a data URL", content: [image(`data:image/png;base64,${base64(20)}`)], gives: ["image/png 20x10"] },
    {
      name: "text and others",
      content: [{ type: "text", text: "hi" }, image(base64(20))],
      gives: ["hi", "image/png 20x10"],
    },
    {
      name: "no image at all",
      content: [image(Buffer.from("hello").toString("base64"))],
      gives: ["[image omitted: it is not an image that can be shown]"],
    },
    {
      name: "a pixel bomb",
      content: [image(base64(16_000, 16_000))],
      gives: ["[image omitted: image/png of 16000x16000 pixels: an image may have 120 megapixels]"],
    },
    {
      name: "fewer bytes than any image has",
      content: [image(base64(20))],
      limits: { maxBytes: 8 },
      gives: ["[image omitted: image/png of 20x10 pixels: it does not fit into 8 bytes]"],
    },
  ])("$name", async ({ content, limits, gives }) => {
    const result = { content, details: { kept: true } };
    const made = await sanitizeToolResultImages(result, limits);
    expect([shownIn(made), made.details]).toEqual([gives, { kept: true }]);
  });

  it("are the same object where there are none", async () => {
    const result = { content: [{ type: "text", text: "hi" }] };
    expect(await sanitizeToolResultImages(result)).toBe(result);
  });
});

describe("images of plugins", () => {
  const blocks = [{ kind: "image", mime: "image/gif", data: base64(2400) } as const];
  const tools = [
    wanting("answers", () => answer(blocks, { said: "" })),
    wanting(
      "acts",
      () => outward({ acts: ["network"], target: "x", sends: "", run: async () => answer(blocks, { said: "" }) }),
      {
        annotations: OUTWARD,
      },
    ),
  ];

  it.each([
    { name: "by the default", options: {}, width: 1200 },
    {
      name: "by the configuration",
      options: { toolConfig: { tools: { images: { maxDimensionPx: 600 } } } },
      width: 600,
    },
    {
      name: "by that of the provider",
      options: {
        toolConfig: { tools: { images: { maxDimensionPx: 600, byProvider: { openai: { maxDimensionPx: 300 } } } } },
        agentContext: { provider: "openai" },
      },
      width: 300,
    },
  ])("fit $name", async ({ options, width }) => {
    const plugins = checkedPlugins([{ from: "test", plugin: { id: "pictures", tools } }], expect.fail);
    const app = appOn(scratch(), { plugins, approver: async () => ({ decision: "once" }), ...options });
    for (const tool of ["answers", "acts"]) {
      const { blocks: shown } = await call(app.session, { tool, input: {}, signal: new AbortController().signal });
      expect(shown.map(sizeOf)).toEqual([["image/png", width]]);
    }
  });
});

const sizeOf = (block: Block): unknown =>
  block.kind === "image" ? [block.mime, imageFactsOf(Buffer.from(block.data, "base64"))?.width] : block;

describe("the limits of the configuration", () => {
  it("hold for read as well", async () => {
    const root = scratch({ "a.png": blackPng(1000, 10) });
    const caller = callerOf(appOn(root, { toolConfig: { tools: { images: { maxDimensionPx: 500 } } } }));
    expect((await caller("read", { path: "a.png" })).data["notes"]).toContain(
      "Shown as image/png of 500x5 pixels; multiply x and y by 2 for pixels of the original",
    );
  });
});
