import fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { imageFactsOf } from "../../../src/content/images/header.ts";
import { bmpOf, blackPng, gifOf, tiffOf } from "./made.ts";
import { halves, PHOTO_EXIF } from "./pictures.ts";

/** Three frames that differ, since equal ones would be joined. */
async function animated(): Promise<Sharp> {
  const frames = await Promise.all(
    [1, 2, 3].map((nth) =>
      halves(20, 30)
        .rotate(nth * 180)
        .tint(`#${nth}0${nth}0${nth}0`)
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } });
}

/** Lists pictures that another program encodes. */
const ENCODED: readonly { name: string; make: () => Promise<Buffer> }[] = [
  { name: "PNG", make: () => halves(31, 17).png().toBuffer() },
  { name: "PNG of 16 bits", make: () => halves(31, 17).toColourspace("rgb16").png().toBuffer() },
  { name: "PNG with a palette", make: () => halves(31, 17).png({ palette: true }).toBuffer() },
  { name: "PNG with alpha", make: () => halves(31, 17).ensureAlpha(0.5).png().toBuffer() },
  { name: "interlaced PNG", make: () => halves(31, 17).png({ progressive: true }).toBuffer() },
  { name: "PNG with EXIF", make: () => halves(31, 17).withMetadata({ orientation: 6 }).png().toBuffer() },
  { name: "JPEG", make: () => halves(31, 17).jpeg().toBuffer() },
  { name: "progressive JPEG", make: () => halves(31, 17).jpeg({ progressive: true }).toBuffer() },
  { name: "grey JPEG", make: () => halves(31, 17).grayscale().jpeg().toBuffer() },
  { name: "JPEG with a profile", make: () => halves(31, 17).withIccProfile("p3").jpeg().toBuffer() },
  { name: "GIF", make: () => halves(31, 17).gif().toBuffer() },
  { name: "WebP", make: () => halves(31, 17).webp().toBuffer() },
  { name: "WebP without loss", make: () => halves(31, 17).webp({ lossless: true }).toBuffer() },
  { name: "WebP with alpha", make: () => halves(31, 17).ensureAlpha(0.5).webp().toBuffer() },
  { name: "WebP with EXIF", make: () => halves(31, 17).withMetadata({ orientation: 8 }).webp().toBuffer() },
  { name: "TIFF", make: () => halves(31, 17).tiff().toBuffer() },
  { name: "TIFF in the other order", make: () => halves(31, 17).tiff({ compression: "deflate" }).toBuffer() },
  { name: "AVIF", make: () => halves(64, 32).avif({ effort: 0 }).toBuffer() },
  { name: "CMYK", make: () => halves(31, 17).toColourspace("cmyk").jpeg().toBuffer() },
  { name: "animated GIF", make: async () => (await animated()).gif().toBuffer() },
  { name: "animated WebP", make: async () => (await animated()).webp().toBuffer() },
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => ({
    name: `JPEG of orientation ${orientation}`,
    make: () => halves(31, 17).withMetadata({ orientation }).jpeg().toBuffer(),
  })),
];

describe("what a header tells", () => {
  it.each(ENCODED)("is what the engine finds in it: $name", async ({ make }) => {
    const bytes = await make();
    const { format, width, height, pages = 1, orientation = 1 } = await sharp(bytes).metadata();
    expect(imageFactsOf(bytes)).toMatchObject({
      format: format === "heif" ? "avif" : format,
      width,
      height,
      frames: pages,
      orientation,
      isComplete: true,
    });
  });

  it.each(ENCODED)("knows that the end is missing, or nothing: $name", async ({ make }) => {
    const bytes = await make();
    const cut = imageFactsOf(bytes.subarray(0, bytes.length - 20));
    expect(cut === null || !cut.isComplete || ["avif", "tiff"].includes(cut.format)).toBe(true);
  });

  it.each(ENCODED)("never fails, wherever it is cut: $name", async ({ make }) => {
    const bytes = await make();
    const cuts = Array.from({ length: Math.min(bytes.length, 600) }, (_, length) => bytes.subarray(0, length));
    expect(cuts.map(imageFactsOf).filter((facts) => facts !== null && !(facts.width > 0))).toEqual([]);
  });

  it.each([
    { name: "BMP", bytes: bmpOf(31, 17), gives: { format: "bmp", width: 31, height: 17 } },
    { name: "BMP from the top", bytes: bmpOf(31, -17), gives: { format: "bmp", width: 31, height: 17 } },
    {
      name: "TIFF, big-endian, of three pages",
      bytes: tiffOf("MM", [
        [3, 4],
        [5, 6],
        [7, 8],
      ]),
      gives: {
        format: "tiff",
        width: 3,
        height: 4,
        frames: 3,
        pages: [
          { width: 3, height: 4, orientation: 1 },
          { width: 5, height: 6, orientation: 1 },
          { width: 7, height: 8, orientation: 1 },
        ],
      },
    },
    { name: "GIF of 10,000 frames", bytes: gifOf(10_000), gives: { width: 1, height: 1, frames: 10_000 } },
    { name: "a pixel bomb", bytes: blackPng(16_000, 16_000), gives: { width: 16_000, height: 16_000 } },
  ])("$name", ({ bytes, gives }) => {
    expect(imageFactsOf(bytes)).toMatchObject(gives);
  });

  it.each([
    { name: "no pixels across", bytes: blackPng(0, 10) },
    { name: "no pixels down", bytes: blackPng(10, 0) },
    { name: "a wrong signature", bytes: Buffer.concat([Buffer.from("\x89PNX"), blackPng(10, 10).subarray(4)]) },
    { name: "a JPEG without a frame", bytes: Buffer.from("ffd8ffe000104a46494600010100000100010000ffd9", "hex") },
    { name: "a TIFF whose first page is elsewhere", bytes: Buffer.from("49492a00ffffff7f", "hex") },
    { name: "text", bytes: Buffer.from("BM is how a text may begin") },
    { name: "nothing", bytes: Buffer.alloc(0) },
  ])("nothing: $name", ({ bytes }) => {
    expect(imageFactsOf(bytes)).toBe(null);
  });

  it("a TIFF whose pages go round ends", () => {
    const bytes = tiffOf("II", [[3, 4]]);
    bytes.writeUInt32LE(8, 34);
    expect(imageFactsOf(bytes)).toMatchObject({ frames: 1 });
  });

  it("the metadata of a photo, with the place", async () => {
    const bytes = await halves(31, 17).jpeg().withExif(PHOTO_EXIF).toBuffer();
    expect(imageFactsOf(bytes)?.exif).toEqual({
      camera: "Acme One",
      taken: "2024-05-01 12:33:11",
      location: { latitude: 48.858333, longitude: -2.283333 },
    });
  });

  it("no characters that do not print", async () => {
    const exif = { IFD0: { Make: "A\u001b[31mB", Model: "C\nD" } };
    const bytes = await halves(31, 17).jpeg().withExif(exif).toBuffer();
    expect(imageFactsOf(bytes)?.exif.camera).toBe("A[31mB CD");
  });
});

const MAGICS = ENCODED.filter(({ name }) =>
  ["PNG with EXIF", "JPEG of orientation 6", "GIF", "WebP with EXIF", "TIFF", "AVIF"].includes(name),
);

describe("damaged headers", () => {
  it.each(MAGICS)("give facts or nothing: $name", async ({ make }) => {
    const whole = await make();
    const change = fc.record({ at: fc.nat(Math.min(whole.length - 1, 400)), value: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const bytes = Buffer.from(whole);
        for (const { at, value } of changes) bytes[at] = value;
        const facts = imageFactsOf(bytes);
        expect(facts === null || (facts.width > 0 && facts.height > 0 && facts.frames >= 1)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "\xff\xd8\xff",
    "GIF89a",
    "RIFF\0\0\0\0WEBP",
    "II*\0",
    "MM\0*",
    "\0\0\0\x20ftypavif",
    "BM",
  ])("give facts or nothing: %j and anything", (magic) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (rest) => {
        const facts = imageFactsOf(Buffer.concat([Buffer.from(magic, "latin1"), rest]));
        expect(facts === null || facts.width > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
