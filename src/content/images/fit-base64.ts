import { Buffer } from "node:buffer";
import { isFault } from "../../base/errors.ts";
import type { ImageLimits } from "../../base/image-limits.ts";
import { LIMITS } from "../../base/limits.ts";
import { fitImage } from "./fit.ts";
import { imageFactsOf } from "./header.ts";

/** The result of making an image fit that others sent as base64. */
export type FittedBase64 =
  | { readonly kind: "unchanged"; readonly mime: string }
  | { readonly kind: "fitted"; readonly data: string; readonly mime: string }
  | { readonly kind: "omitted"; readonly reason: string };

/** Makes an image fit. Whatever it is, the result is an image or the reason why there is none. */
export async function fitBase64(data: string, limits: ImageLimits): Promise<FittedBase64> {
  if (data.length > MOST_CHARS) return { kind: "omitted", reason: `it has more than ${MOST_CHARS} characters` };
  const bytes = Buffer.from(data.replace(DATA_URL, ""), "base64");
  const facts = imageFactsOf(bytes);
  if (!facts) return { kind: "omitted", reason: "it is not an image that can be shown" };
  try {
    const image = await fitImage(bytes, { ...facts, metadata: [] }, { limits, checkpoint: () => {} });
    if (image.isOriginal && isBase64(data)) return { kind: "unchanged", mime: image.mime };
    return { kind: "fitted", data: image.bytes.toString("base64"), mime: image.mime };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { kind: "omitted", reason: error.message.replace(/^Cannot show /, "") };
  }
}

/** Matches what some put before the data, although the MIME type is given apart. */
const DATA_URL = /^data:[\w/+.-]{0,100};base64,/;

/** Checks base64 as strictly as providers do. */
const isBase64 = (data: string): boolean => data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);

const MOST_CHARS = Math.ceil(LIMITS.imageFileBytes / 3) * 4;
