import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { fitImage, type FitOptions, type FittedImage } from "../../../src/content/images/fit.ts";
import { imageFactsOf } from "../../../src/content/images/header.ts";
import { bmpOf, blackPng, gifOf } from "./made.ts";
import { halves, noise, PHOTO_EXIF } from "./pictures.ts";

const LIMITS = { maxDimensionPx: 100, maxBytes: 40_000 };

async function fitted(bytes: Buffer, options: Partial<FitOptions> = {}): Promise<FittedImage> {
  const facts = imageFactsOf(bytes);
  if (!facts) throw new Error("no image");
  return fitImage(bytes, facts, { limits: LIMITS, checkpoint: () => {}, ...options });
}

/** Returns the colours at the middle of both halves. */
async function colours({ bytes, width, height }: FittedImage): Promise<readonly string[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): string => {
    const [red = 0, , blue = 0] = data.subarray((y * info.width + x) * info.channels);
    return red > 128 ? "red" : blue > 128 ? "blue" : "other";
  };
  const [x, y] = [Math.floor(width / 4), Math.floor(height / 4)];
  return [at(x, y), at(width - 1 - x, y), at(x, height - 1 - y)];
}

describe("an image that fits", () => {
  it.each(["png", "jpeg", "gif", "webp"] as const)("stays as it is: %s", async (format) => {
    const bytes = await halves(100, 50).toFormat(format).toBuffer();
    const { bytes: shown, ...rest } = await fitted(bytes);
    expect(shown.equals(bytes)).toBe(true);
    expect(rest).toEqual({
      mime: `image/${format}`,
      width: 100,
      height: 50,
      shown: { x: 0, y: 0, width: 100, height: 50 },
      isOriginal: true,
    });
  });

  it.each(["png", "jpeg", "webp"] as const)("loses its metadata and no pixel: %s", async (format) => {
    const bytes = await halves(100, 50).withExif(PHOTO_EXIF).toFormat(format).toBuffer();
    const image = await fitted(bytes);
    const [before, after] = [await sharp(bytes).metadata(), await sharp(image.bytes).metadata()];
    expect([image.isOriginal, before.exif === undefined, after.exif]).toEqual([true, false, undefined]);
    expect(await sharp(image.bytes).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer());
  });
});

const comment = Buffer.from("!\xfe\x06Munich\0", "latin1");
const xmp = Buffer.from("!\xff\x0bXMP DataXMP\x06Munich\0", "latin1");
const segment = (marker: number): Buffer => Buffer.from([0xff, marker, 0, 8, ...Buffer.from("Munich")]);
const chunk = (type: string): Buffer => Buffer.from(`\0\0\0\x06${type}Munich\0\0\0\0`, "latin1");
const behind = (bytes: Buffer, at: number, ...more: readonly Buffer[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), ...more, bytes.subarray(at)]);

describe("what is not part of the picture", () => {
  it.each<[string, "gif" | "jpeg" | "png" | "webp", (bytes: Buffer) => Buffer]>([
    ["a comment in a GIF", "gif", (bytes) => behind(bytes, bytes.length - 1, comment)],
    ["XMP in a GIF", "gif", (bytes) => behind(bytes, bytes.length - 1, xmp)],
    ["what follows a GIF", "gif", (bytes) => Buffer.concat([bytes, Buffer.from("Munich")])],
    ["what follows a JPEG", "jpeg", (bytes) => Buffer.concat([bytes, Buffer.from("Munich")])],
    ["a second JPEG behind the first", "jpeg", (bytes) => Buffer.concat([bytes, behind(bytes, 2, segment(0xe1))])],
    ["segments of applications", "jpeg", (bytes) => behind(bytes, 2, segment(0xe4), segment(0xeb), segment(0xe2))],
    ["a segment before the end", "jpeg", (bytes) => behind(bytes, bytes.length - 2, segment(0xe1))],
    ["an unknown chunk of a PNG", "png", (bytes) => behind(bytes, 33, chunk("caBX"))],
    ["what follows a PNG", "png", (bytes) => Buffer.concat([bytes, Buffer.from("Munich")])],
    ["what follows a WebP", "webp", (bytes) => Buffer.concat([bytes, Buffer.from("Munich")])],
  ])("is cut out: %s", async (_, format, change) => {
    const bytes = await halves(100, 50).toFormat(format).toBuffer();
    const changed = change(bytes);
    const image = await fitted(changed);
    expect([changed.includes("Munich"), image.isOriginal, image.bytes.equals(bytes)]).toEqual([true, true, true]);
  });

  it("is told apart from the scans of a progressive JPEG", async () => {
    const bytes = await halves(100, 50).jpeg({ progressive: true }).toBuffer();
    expect((await fitted(bytes)).bytes.equals(bytes)).toBe(true);
  });
});

describe("an image that is too large", () => {
  it.each([
    { from: "png", to: "image/png" },
    { from: "gif", to: "image/png" },
    { from: "jpeg", to: "image/jpeg" },
    { from: "webp", to: "image/jpeg" },
    { from: "tiff", to: "image/jpeg" },
    { from: "avif", to: "image/jpeg" },
  ] as const)("is made smaller: $from to $to", async ({ from, to }) => {
    const image = await fitted(await halves(300, 150).toFormat(from).toBuffer());
    expect([image.mime, image.width, image.height]).toEqual([to, 100, 50]);
    expect(await colours(image)).toEqual(["red", "blue", "red"]);
  });

  it("keeps its transparent parts while that fits", async () => {
    const clear = sharp({ create: { width: 300, height: 150, channels: 4, background: "#f008" } });
    expect((await fitted(await clear.webp().toBuffer())).mime).toBe("image/png");
  });

  it.each([
    { name: "from PNG to JPEG", maxBytes: 12_000, gives: { mime: "image/jpeg", width: 100, quality: 80 } },
    { name: "in lower quality", maxBytes: 7000, gives: { mime: "image/jpeg", width: 100, quality: 55 } },
    { name: "in a smaller size", maxBytes: 2200, gives: { mime: "image/jpeg", width: 56, quality: 70 } },
  ])("in bytes is encoded again: $name", async ({ maxBytes, gives }) => {
    const bytes = await noise(100, 100).png().toBuffer();
    const image = await fitted(bytes, { limits: { maxDimensionPx: 100, maxBytes } });
    expect(image).toMatchObject(gives);
    expect(image.bytes.toString("base64").length).toBeLessThanOrEqual(maxBytes);
  });

  it("and fits in no size is refused", async () => {
    const bytes = await noise(100, 100).png().toBuffer();
    await expect(fitted(bytes, { limits: { maxDimensionPx: 100, maxBytes: 100 } })).rejects.toMatchObject({
      code: "too_large",
      message: "Cannot show image/png of 100x100 pixels: it does not fit into 100 bytes",
    });
  });
});

describe("orientation", () => {
  it.each([
    { orientation: 1, size: [100, 50], seen: ["red", "blue", "red"] },
    { orientation: 2, size: [100, 50], seen: ["blue", "red", "blue"] },
    { orientation: 3, size: [100, 50], seen: ["blue", "red", "blue"] },
    { orientation: 4, size: [100, 50], seen: ["red", "blue", "red"] },
    { orientation: 5, size: [50, 100], seen: ["red", "red", "blue"] },
    { orientation: 6, size: [50, 100], seen: ["red", "red", "blue"] },
    { orientation: 7, size: [50, 100], seen: ["blue", "blue", "red"] },
    { orientation: 8, size: [50, 100], seen: ["blue", "blue", "red"] },
  ])("$orientation is applied", async ({ orientation, size, seen }) => {
    const bytes = await halves(300, 150).withMetadata({ orientation }).jpeg().toBuffer();
    const image = await fitted(bytes);
    expect([[image.width, image.height], await colours(image)]).toEqual([size, seen]);
    expect(imageFactsOf(image.bytes)?.orientation).toBe(1);
  });

  it("is applied before a region is cut out", async () => {
    const bytes = await halves(300, 150).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const image = await fitted(bytes, { region: { x: 0, y: 200, width: 150, height: 100 } });
    expect([[image.width, image.height], await colours(image)]).toEqual([
      [100, 67],
      ["blue", "blue", "blue"],
    ]);
  });
});

describe("a region", () => {
  it("is cut out before the image is made smaller, and cut off at its edges", async () => {
    const image = await fitted(await halves(300, 150).png().toBuffer(), {
      region: { x: 100, y: 0, width: 80, height: 1000 },
    });
    expect(image.shown).toEqual({ x: 100, y: 0, width: 80, height: 150 });
    expect([image.width, image.height, await colours(image)]).toEqual([53, 100, ["red", "blue", "red"]]);
  });

  it("outside of the image is refused", async () => {
    const bytes = await halves(30, 15).png().toBuffer();
    await expect(fitted(bytes, { region: { x: 30, y: 0, width: 1, height: 1 } })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  it("of any image maps back to within a pixel", async () => {
    const edge = fc.integer({ min: 1, max: 3000 });
    await fc.assert(
      fc.asyncProperty(edge, edge, fc.integer({ min: 64, max: 400 }), async (width, height, maxDimensionPx) => {
        const image = await fitted(blackPng(width, height), { limits: { maxDimensionPx, maxBytes: 1_000_000 } });
        const [x, y] = [image.shown.width / image.width, image.shown.height / image.height].map((scale) =>
          Number(scale.toFixed(4)),
        );
        expect(Math.max(image.width, image.height)).toBeLessThanOrEqual(maxDimensionPx);
        expect(Math.abs(image.width * (x ?? 0) - width)).toBeLessThanOrEqual(1);
        expect(Math.abs(image.height * (y ?? 0) - height)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 40 },
    );
  });
});

describe("hostile images", () => {
  it("a pixel bomb is refused", async () => {
    await expect(fitted(blackPng(16_000, 16_000))).rejects.toMatchObject({
      code: "too_large",
      message: "Cannot show image/png of 16000x16000 pixels: an image may have 120 megapixels",
    });
  });

  it("a bomb whose header lies is refused as well", async () => {
    const bytes = blackPng(16_000, 16_000);
    const facts = { ...imageFactsOf(bytes)!, width: 200, height: 200 };
    await expect(fitImage(bytes, facts, { limits: LIMITS, checkpoint: () => {} })).rejects.toMatchObject({
      code: "too_large",
    });
  });

  it("a truncated JPEG is shown as far as it goes", async () => {
    const bytes = await halves(300, 150).jpeg().toBuffer();
    const image = await fitted(bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    expect([image.mime, image.width, image.height]).toEqual(["image/jpeg", 100, 50]);
  });

  it("a PNG without pixels is refused", async () => {
    const whole = blackPng(300, 300);
    const bytes = Buffer.concat([whole.subarray(0, 33), whole.subarray(whole.length - 12)]);
    await expect(fitted(bytes)).rejects.toMatchObject({ code: "not_text" });
  });

  it("a GIF of 10,000 frames is its first frame", async () => {
    expect(await fitted(gifOf(10_000))).toMatchObject({ mime: "image/png", width: 1, height: 1 });
  });

  it("CMYK becomes what models know", async () => {
    const image = await fitted(await halves(50, 50).toColourspace("cmyk").jpeg().toBuffer());
    expect([image.isOriginal, imageFactsOf(image.bytes)?.isPlain]).toEqual([false, true]);
  });

  it("16 bits a channel are made smaller like 8", async () => {
    const bytes = await halves(300, 150).toColourspace("rgb16").png().toBuffer();
    expect(await colours(await fitted(bytes))).toEqual(["red", "blue", "red"]);
  });

  it("a ZIP behind a PNG is cut off", async () => {
    const bytes = await halves(30, 15).png().toBuffer();
    const image = await fitted(Buffer.concat([bytes, Buffer.from("PK\x03\x04 and so on")]));
    expect(image.bytes.equals(bytes)).toBe(true);
  });

  it("a bitmap says that it cannot be decoded", async () => {
    await expect(fitted(bmpOf(30, 15))).rejects.toMatchObject({ code: "not_text" });
  });
});
