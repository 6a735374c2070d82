import { Buffer } from "node:buffer";
import { isFault } from "../../../base/errors.ts";
import type { ImageLimits } from "../../../base/image-limits.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { DocumentPage, DocumentPart, PartImage } from "../../../content/documents/document.ts";
import type { ViewContext } from "./view-context.ts";

/** Makes the images of a document fit, as those of files are. The text of a unit says which of its images are missing. */
export async function withFittingImages(
  page: DocumentPage,
  { limits, checkpoint }: ViewContext,
): Promise<DocumentPage> {
  const count = page.parts.reduce((sum, { images = [] }) => sum + images.length, 0);
  if (count === 0) return page;
  const shared = sharedLimits(limits, Math.min(count, LIMITS.pageImages));
  const parts: DocumentPart[] = [];
  let room: number = LIMITS.pageImages;
  for (const part of page.parts) {
    const images = part.images ?? [];
    parts.push(await fittedPart(part, images.slice(0, Math.max(0, room)), { limits: shared, checkpoint }));
    room -= images.length;
  }
  return { ...page, parts };
}

/** Limits each image of several: together they have to fit into one message. */
export const sharedLimits = ({ maxDimensionPx, maxBytes }: ImageLimits, images: number): ImageLimits => ({
  maxDimensionPx,
  maxBytes: Math.min(maxBytes, Math.floor(LIMITS.answerImageBytes / images)),
});

async function fittedPart(
  part: DocumentPart,
  shown: readonly PartImage[],
  context: ViewContext,
): Promise<DocumentPart> {
  const { images: all = [], ...rest } = part;
  if (all.length === 0) return part;
  const images: PartImage[] = [];
  const notes: string[] = [];
  for (const image of shown) {
    const fitted = await fittedImage(image, context);
    if (typeof fitted === "string") notes.push(`[${image.mime} is not shown: ${fitted}]`);
    else images.push(fitted);
  }
  if (shown.length < all.length)
    notes.push(`[${all.length - shown.length} more images: an answer shows ${LIMITS.pageImages}]`);
  return { ...rest, images, text: [part.text, ...notes].join("\n") };
}

/** Makes an image fit, or says why that is not possible. */
async function fittedImage({ data }: PartImage, context: ViewContext): Promise<PartImage | string> {
  const [{ imageFactsOf }, { fitImage }] = await Promise.all([
    import("../../../content/images/header.ts"),
    import("../../../content/images/fit.ts"),
  ]);
  const facts = imageFactsOf(data);
  if (!facts) return "it is damaged";
  try {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const image = await fitImage(bytes, facts, context);
    return { mime: image.mime, data: image.bytes };
  } catch (error) {
    if (!isFault(error) || error.code === "cancelled") throw error;
    return error.message.replace(/^Cannot show /, "");
  }
}
