import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { fitImage } from "../../../src/content/images/fit.ts";
import { imageFactsOf } from "../../../src/content/images/header.ts";

const corpusImage = (name: string): Buffer => readFileSync(new URL(`../corpus/images/${name}`, import.meta.url));

/** Lists what `identify` of ImageMagick says of its own files, and whether models are given their colours. */
const FILES = [
  ["animated.gif", { format: "gif", width: 24, height: 16, frames: 3, isPlain: true }],
  ["big-endian.tif", { format: "tiff", width: 24, height: 16, frames: 1, isPlain: true }],
  ["cmyk.jpg", { format: "jpeg", width: 24, height: 16, frames: 1, isPlain: false }],
  ["deep.png", { format: "png", width: 24, height: 16, frames: 1, isPlain: true }],
  ["gray.jpg", { format: "jpeg", width: 24, height: 16, frames: 1, isPlain: true }],
  ["interlaced.png", { format: "png", width: 24, height: 16, frames: 1, isPlain: true }],
  ["lossless.webp", { format: "webp", width: 24, height: 16, frames: 1, isPlain: true }],
  ["lossy.webp", { format: "webp", width: 24, height: 16, frames: 1, isPlain: true }],
  ["lzw.tif", { format: "tiff", width: 24, height: 16, frames: 1, isPlain: true }],
  ["pages.tif", { format: "tiff", width: 24, height: 16, frames: 3, isPlain: true }],
  ["palette.png", { format: "png", width: 24, height: 16, frames: 1, isPlain: true }],
  ["plain.bmp", { format: "bmp", width: 24, height: 16, frames: 1, isPlain: true }],
  ["progressive.jpg", { format: "jpeg", width: 24, height: 16, frames: 1, isPlain: true }],
  ["transparent.webp", { format: "webp", width: 24, height: 16, frames: 1, isPlain: true }],
] as const;

/** Have red above and blue below. */
const GRADIENTS = ["big-endian.tif", "cmyk.jpg", "deep.png", "interlaced.png", "lossless.webp", "lossy.webp"];

describe("images of ImageMagick", () => {
  it.each(FILES)("%s has the facts that it says itself", (name, facts) => {
    expect(imageFactsOf(corpusImage(name))).toMatchObject({ ...facts, isComplete: true, orientation: 1 });
  });

  it("finds the size of each page", () => {
    const sizes = imageFactsOf(corpusImage("pages.tif"))?.pages?.map(({ width, height }) => [width, height]);
    expect(sizes).toEqual([
      [24, 16],
      [24, 16],
      [10, 12],
    ]);
  });

  it.each([...GRADIENTS, "lzw.tif", "palette.png", "progressive.jpg"])("%s is decoded", async (name) => {
    const bytes = corpusImage(name);
    const facts = imageFactsOf(bytes);
    if (!facts) throw new Error("no image");
    const options = { limits: { maxDimensionPx: 100, maxBytes: 40_000 }, checkpoint: () => {} };
    const region = { x: 6, y: 0, width: 12, height: 16 };
    const { bytes: shown, width, height } = await fitImage(bytes, facts, { ...options, region });
    const { data, info } = await sharp(shown)
      .removeAlpha()
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    const pixel = (row: number) => [...data.subarray(row * info.width * info.channels).subarray(0, 3)];
    const [[red = 0, , blue = 0], [lowRed = 0, , lowBlue = 0]] = [pixel(0), pixel(info.height - 1)] as const;
    expect([width, height, red > blue, lowBlue > lowRed]).toEqual([12, 16, true, true]);
  });
});
