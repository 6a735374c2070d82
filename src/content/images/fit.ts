import type { Buffer } from "node:buffer";
import type { Sharp } from "sharp";
import { Fault } from "../../base/errors.ts";
import type { ImageLimits } from "../../base/image-limits.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import { decodingOf, type ImageEngine, imageEngine, INSTALL_ENGINE, stopIfLate, tooManyPixels } from "./engine.ts";
import { IMAGE_MIMES } from "./header.ts";
import { type ImageFacts, type PictureSize, uprightSize } from "./image-facts.ts";
import { withoutMetadata } from "./strip-metadata.ts";

/** Selects what is shown of an image. */
export interface FitOptions {
  readonly limits: ImageLimits;
  /** Is in pixels of the upright image. */
  readonly region?: Region | undefined;
  /** Counts pages and frames from 0. */
  readonly page?: number | undefined;
  readonly checkpoint: Checkpoint;
}

export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An image that fits, and where its pixels are in the original. */
export interface FittedImage {
  readonly bytes: Buffer;
  readonly mime: string;
  readonly width: number;
  readonly height: number;
  /** The part of the upright original that is shown. */
  readonly shown: Region;
  /** Is true when the pixels are those of the file, only without metadata. */
  readonly isOriginal: boolean;
  readonly quality?: number;
}

/** Makes an image fit, with as little change as possible. Throws a fault that says why it cannot be shown. */
export async function fitImage(bytes: Buffer, facts: ImageFacts, options: FitOptions): Promise<FittedImage> {
  const what = describeImage(facts);
  const { region, limits, page = 0 } = options;
  const picture = facts.pages?.[page] ?? facts;
  const size = uprightSize(picture);
  const shown = region ? checkedRegion(region, size, what) : { x: 0, y: 0, ...size };
  const stripped = withoutMetadata(bytes, facts);
  const needed = neededChange(stripped, facts, options, shown);
  const original = { bytes: stripped, mime: IMAGE_MIMES[facts.format], ...size, shown, isOriginal: true };
  if (needed === undefined) return original;
  if (UNDECODABLE.has(facts.format))
    throw new Fault("not_text", `Cannot show ${what}: this format cannot be decoded here`, { hint: CONVERT });
  if (picture.width * picture.height > LIMITS.imagePixels) throw tooManyPixels(what);
  const engine = await imageEngine();
  if (!engine) {
    if (isBearable(stripped, facts, options)) return original;
    throw new Fault("too_large", `Cannot show ${what}: ${needed} needs the package sharp: ${INSTALL_ENGINE}`, {
      hint: `Ask the user to run: ${INSTALL_ENGINE}`,
    });
  }
  const job = { bytes, ...size, format: facts.format, hasAlpha: facts.hasAlpha, page, shown, limits };
  return decodingOf(what, options.checkpoint, (deadline) => encodedWithin(engine, { ...job, deadline }, what));
}

export const CONVERT = "Ask the user to convert it to PNG or JPEG";

/** Describes an image in a few words: "image/png of 800x600 pixels". */
export const describeImage = (facts: ImageFacts): string => {
  const { width, height } = uprightSize(facts);
  return `${IMAGE_MIMES[facts.format]} of ${width}x${height} pixels`;
};

/** Lists formats that models are shown as they are. */
const SHOWN_FORMATS: ReadonlySet<string> = new Set(["png", "jpeg", "gif", "webp"]);
/** Lists formats that the engine does not read: HEIC is patented, and BMP never compressed. */
const UNDECODABLE: ReadonlySet<string> = new Set(["heic", "bmp"]);
/** Lists formats of drawings and screens, where the artefacts of JPEG show. */
const LOSSLESS_FORMATS: ReadonlySet<string> = new Set(["png", "gif", "svg"]);

/** Cuts the region off at the edges of the image. */
export function checkedRegion({ x, y, width, height }: Region, size: Omit<Region, "x" | "y">, what: string): Region {
  if (x >= size.width || y >= size.height)
    throw new Fault("invalid_input", `Cannot show the region at ${x},${y}: it is outside of ${what}`, {
      argument: "region",
    });
  return { x, y, width: Math.min(width, size.width - x), height: Math.min(height, size.height - y) };
}

/** Says what has to be done to an image before it is shown; undefined if nothing has to. */
function neededChange(bytes: Buffer, facts: ImageFacts, options: FitOptions, shown: Region): string | undefined {
  const { limits, region, page = 0 } = options;
  if (!SHOWN_FORMATS.has(facts.format) || !facts.isPlain) return "converting it";
  if (Math.max(shown.width, shown.height) > limits.maxDimensionPx || base64Chars(bytes) > limits.maxBytes)
    return "making it smaller";
  if (region) return "cropping it";
  if (page > 0) return "showing a single frame";
  if (!facts.isComplete) return "repairing it";
  if (facts.orientation !== 1) return "turning it upright";
  return facts.frames > 1 ? "showing a single frame" : undefined;
}

/** Checks whether an image can be shown although nothing can be done to it: as it lies, or moving. */
const isBearable = (bytes: Buffer, facts: ImageFacts, { limits, region, page = 0 }: FitOptions): boolean =>
  SHOWN_FORMATS.has(facts.format) &&
  facts.isPlain &&
  facts.isComplete &&
  !region &&
  page === 0 &&
  Math.max(facts.width, facts.height) <= limits.maxDimensionPx &&
  base64Chars(bytes) <= limits.maxBytes;

const base64Chars = ({ length }: Uint8Array): number => Math.ceil(length / 3) * 4;

/** One image to encode. */
export interface EncodeJob extends Pick<PictureSize, "width" | "height"> {
  readonly bytes: Buffer;
  readonly format: string;
  readonly hasAlpha: boolean;
  readonly page: number;
  readonly shown: Region;
  readonly limits: ImageLimits;
  readonly deadline: number;
}

/** Encodes an image: without loss where that suits it, then with less and less quality, then in smaller sizes. */
export async function encodedWithin(engine: ImageEngine, job: EncodeJob, what: string): Promise<FittedImage> {
  const { shown, limits } = job;
  const isLossless = LOSSLESS_FORMATS.has(job.format) || job.hasAlpha;
  const longest = Math.max(shown.width, shown.height);
  for (let edge = Math.min(limits.maxDimensionPx, longest); edge >= SMALLEST_EDGE || edge === longest; edge *= SHRINK) {
    for (const quality of [...(isLossless ? [LOSSLESS] : []), ...QUALITIES]) {
      stopIfLate(job.deadline, what);
      const { data, info } = await encodedOnce(engine, job, Math.max(1, Math.round(edge)), quality);
      if (base64Chars(data) > limits.maxBytes) continue;
      const mime = quality === LOSSLESS ? "image/png" : "image/jpeg";
      const { width, height } = info;
      return { bytes: data, mime, width, height, shown, isOriginal: false, ...(quality !== LOSSLESS && { quality }) };
    }
  }
  throw new Fault("too_large", `Cannot show ${what}: it does not fit into ${limits.maxBytes} bytes`);
}

const LOSSLESS = 0;
const QUALITIES = [80, 70, 55, 40] as const;
const SHRINK = 0.75;
const SMALLEST_EDGE = 32;

function encodedOnce(engine: ImageEngine, job: EncodeJob, edge: number, quality: number) {
  const { bytes, page, shown } = job;
  const isWhole = shown.width === job.width && shown.height === job.height;
  const opened = engine(bytes, { limitInputPixels: LIMITS.imagePixels, failOn: "none", page, pages: 1 })
    .timeout({ seconds: LIMITS.imageMs / 1000 })
    .autoOrient();
  const part = isWhole
    ? opened
    : opened.extract({ left: shown.x, top: shown.y, width: shown.width, height: shown.height });
  const fitted = part.resize({ width: edge, height: edge, fit: "inside", withoutEnlargement: true });
  return withFormat(fitted, quality).toBuffer({ resolveWithObject: true });
}

/** Sets the format. Transparent parts become white where the format has none. */
const withFormat = (image: Sharp, quality: number): Sharp =>
  quality === LOSSLESS ? image.png() : image.flatten({ background: "#fff" }).jpeg({ quality });
