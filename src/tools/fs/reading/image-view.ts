import type { Buffer } from "node:buffer";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { bytesOf, type ByteSource } from "../../../content/byte-source.ts";
import { CONVERT, describeImage, fitImage, type FittedImage } from "../../../content/images/fit.ts";
import { exifByEngine } from "../../../content/images/exif-by-engine.ts";
import { imageFactsOf } from "../../../content/images/header.ts";
import type { ImageFacts } from "../../../content/images/image-facts.ts";
import { SVG_MIME } from "../../../content/images/is-svg.ts";
import { renderSvg } from "../../../content/images/svg.ts";
import type { Media } from "../../../content/media.ts";
import { plural } from "../../../text/plural.ts";
import type { ShownMedia } from "../../../workspace/read/read-file.ts";
import { sharedLimits } from "./document-images.ts";
import type { ContentInput } from "./input.ts";
import type { ViewContext } from "./view-context.ts";

/** Shows an image that fits, and says in words what it is, how its pixels map back, and what was left out. */
export async function imageView(
  { mime }: Media,
  source: ByteSource,
  input: ContentInput,
  { limits, checkpoint }: ViewContext,
): Promise<ShownMedia> {
  if (source.size > LIMITS.imageFileBytes)
    throw new Fault("too_large", `Cannot show ${mime} of ${source.size} bytes: the limit is ${LIMITS.imageFileBytes}`, {
      mime,
      size: source.size,
    });
  const bytes = await bytesOf(source);
  const header = imageFactsOf(bytes);
  if (!header) throw unreadable(mime, bytes);
  const facts = header.format === "avif" ? { ...header, exif: await exifByEngine(bytes, checkpoint) } : header;
  const images: FittedImage[] = [];
  const numbers = pagesIn(input.pages, facts);
  const shared = sharedLimits(limits, numbers.length);
  for (const number of numbers) {
    const options = { limits: shared, checkpoint, region: input.region, page: number - 1 };
    images.push(await fitImage(bytes, facts, options));
  }
  return {
    blocks: images.map((image) => ({ kind: "image", bytes: image.bytes, mime: image.mime })),
    notes: [
      `${describeImage(facts)}, ${plural(source.size, "byte")}`,
      ...pageNotes(numbers, facts, images),
      ...images.flatMap((image) => placeNotes(image, facts)),
      ...pictureNotes(facts, images, input),
    ],
  };
}

/** Renders an SVG image, and says how its pixels map back. */
export async function svgView(
  source: ByteSource,
  { region }: ContentInput,
  { limits, checkpoint }: ViewContext,
): Promise<ShownMedia> {
  const { image, width, height } = await renderSvg(await bytesOf(source), { limits, checkpoint, region });
  return {
    blocks: [{ kind: "image", bytes: image.bytes, mime: image.mime }],
    notes: [`${SVG_MIME} of ${width}x${height} pixels, ${plural(source.size, "byte")}`, shownAs(image)],
  };
}

/** Says why nothing is known of an image. A TIFF of the kind for more than 4 GiB is not damaged. */
function unreadable(mime: string, bytes: Buffer): Fault {
  const isBigTiff = mime === "image/tiff" && bytes.subarray(2, 4).includes(0x2b);
  const [reason, help] = isBigTiff ? ["BigTIFF cannot be decoded here", { hint: CONVERT }] : ["its header is damaged"];
  return new Fault("not_text", `Cannot show ${mime}: ${reason}`, { mime, size: bytes.length, ...help });
}

/** Returns the numbers of the pages to show, the first one by default. */
function pagesIn(range: string | undefined, { format, frames }: ImageFacts): readonly number[] {
  const [from = "1", to = from] = (range ?? "1").split("-");
  const [first, last] = [Number(from), to === "" ? frames : Number(to)];
  if (first < 1 || last < first || last > frames)
    throw new Fault("invalid_input", `Cannot show the pages ${range}: it has ${plural(frames, "page")}`, {
      argument: "pages",
    });
  if (format === "png" && last > 1)
    throw new Fault("not_text", "Cannot show the frames of an animated PNG but the first: they cannot be decoded here");
  if (last - first >= LIMITS.imagePagesShown)
    throw new Fault("too_large", `Cannot show the pages ${range} at once: ask for ${LIMITS.imagePagesShown} at most`);
  return Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
}

/** Says which pages or frames of several are shown. */
function pageNotes(numbers: readonly number[], facts: ImageFacts, [image]: readonly FittedImage[]): readonly string[] {
  if (facts.frames === 1) return [];
  if (image?.isOriginal) return [`Animated: ${facts.frames} frames`];
  const [one, many] = facts.format === "tiff" ? ["Page", "Pages"] : ["Frame", "Frames"];
  const [first, last] = [numbers[0], numbers.at(-1)];
  const shown = `${first === last ? `${one} ${first}` : `${many} ${first}-${last}`} of ${facts.frames}`;
  return [numbers.length < facts.frames ? `${shown}; the rest is left out` : shown];
}

/** Says how the image was changed, and how its pixels map back. */
function placeNotes(image: FittedImage, facts: ImageFacts): readonly string[] {
  if (image.isOriginal) return facts.orientation === 1 ? [] : [`Not upright: its orientation is ${facts.orientation}`];
  return [
    ...(facts.orientation === 1 ? [] : ["Turned upright, as its orientation says; pixels count in the upright image"]),
    shownAs(image),
  ];
}

/** Formats the factors that turn pixels of the shown image into those of the original. */
function shownAs({ mime, width, height, shown }: FittedImage): string {
  const [across, down] = [shown.width / width, shown.height / height].map((scale) => Number(scale.toFixed(4)));
  const factors = across === down ? `x and y by ${across}` : `x by ${across} and y by ${down}`;
  const steps = [
    ...(across === 1 && down === 1 ? [] : [`multiply ${factors}`]),
    ...(shown.x === 0 && shown.y === 0 ? [] : [`add ${shown.x} to x and ${shown.y} to y`]),
  ];
  const means = steps.length === 0 ? "" : `; ${steps.join(", then ")} for pixels of the original`;
  return `Shown as ${mime} of ${width}x${height} pixels${means}`;
}

/** Says what the metadata tell. The location is only told when it is asked for. */
function pictureNotes(
  facts: ImageFacts,
  images: readonly FittedImage[],
  { location: asks }: ContentInput,
): readonly string[] {
  const { camera, taken, location } = facts.exif;
  const about = [...(taken ? [`taken ${taken}`] : []), ...(camera ? [`with ${camera}`] : [])].join(" ");
  const isHidden = location !== undefined && !asks;
  const hasMetadata = facts.metadata.length > 0 || isHidden;
  return [
    ...(facts.isComplete ? [] : ["Damaged: the end of the file is missing"]),
    ...(about === "" ? [] : [`${about[0]?.toUpperCase()}${about.slice(1)}`]),
    ...(asks ? [location ? `Location: ${location.latitude}, ${location.longitude}` : "No location is recorded"] : []),
    ...(hasMetadata ? [`Left out: metadata${isHidden ? ", among them the location" : ""}`] : []),
    ...images.flatMap(({ quality }) => (quality !== undefined && quality < 80 ? [`JPEG quality ${quality}`] : [])),
  ];
}
