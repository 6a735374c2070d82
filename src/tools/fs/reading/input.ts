import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { UNLISTED } from "../../unlisted.ts";

const pixel = z.int().min(0).max(LIMITS.imagePixels);
const length = pixel.min(1);

/** Arguments for images. Pixels are those of the original, turned upright. */
export const mediaInput = {
  region: z.strictObject({ x: pixel, y: pixel, width: length, height: length }).optional().meta(UNLISTED.rare),
  pages: z
    .string()
    .regex(/^\d{1,6}(?:-\d{1,6})?$/, 'give a page or a range, such as "2" or "1-3"')
    .optional()
    .meta(UNLISTED.rare),
  render: z.boolean().default(false).meta(UNLISTED.rare),
  location: z.boolean().default(false).meta(UNLISTED.rare),
  original: z.boolean().default(false).meta(UNLISTED.program),
};

const schema = z.object(mediaInput);
export type MediaInput = z.output<typeof schema>;
