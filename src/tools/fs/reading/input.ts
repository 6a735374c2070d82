import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { UNLISTED } from "../../unlisted.ts";

const pixel = z.int().min(0).max(LIMITS.imagePixels);
const length = pixel.min(1);

/** Arguments for files that are not text. Pixels are those of the original image, turned upright. */
export const contentInput = {
  as: z.enum(["source", "markdown", "table", "image"]).optional().meta(UNLISTED.rare),
  pages: z
    .string()
    .regex(/^\d{1,7}(?:-\d{0,7})?$/, 'give a page or a range, such as "2", "1-3" or "4-"')
    .optional()
    .meta(UNLISTED.rare),
  sheet: z.string().max(LIMITS.quotedNameChars).optional().meta(UNLISTED.rare),
  range: z.string().max(LIMITS.quotedNameChars).optional().meta(UNLISTED.rare),
  region: z.strictObject({ x: pixel, y: pixel, width: length, height: length }).optional().meta(UNLISTED.rare),
  location: z.boolean().default(false).meta(UNLISTED.rare),
};

const schema = z.object(contentInput);
export type ContentInput = z.output<typeof schema>;

/** Describes the units of a document in an answer. */
export const documentOutput = z.object({
  format: z.string(),
  unit: z.string(),
  total: z.int(),
  first: z.int().optional(),
  last: z.int().optional(),
});
