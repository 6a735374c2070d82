import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { pathInput } from "../../paths.ts";
import { UNLISTED } from "../../unlisted.ts";

const patterns = z.array(z.string().min(1).max(LIMITS.argumentChars)).max(LIMITS.excludePatterns);

export const grepInput = z.strictObject({
  pattern: z.string().min(1).max(LIMITS.argumentChars).describe("RE2 regex"),
  path: pathInput.optional(),
  glob: z.string().max(LIMITS.argumentChars).optional(),
  exclude: patterns.default([]),
  literal: z.boolean().default(false),
  ignoreCase: z.boolean().default(false),
  word: z.boolean().default(false).meta(UNLISTED.rare),
  multiline: z.boolean().default(false),
  context: z.int().min(0).max(LIMITS.grepContext).default(0),
  mode: z.enum(["matches", "files", "count", "total"]).default("matches"),
  count_by: z
    .union([z.int().min(1), z.string().max(LIMITS.quotedNameChars)])
    .optional()
    .meta(UNLISTED.report),
  enclosing: z.boolean().default(false),
  limit: z.int().min(1).max(LIMITS.grepMatchesMost).optional(),
  cursor: z.string().max(LIMITS.argumentChars).optional(),
  include_ignored: z.boolean().default(false),
  include_hidden: z.boolean().default(false),
  documents: z.boolean().default(false).meta(UNLISTED.rare),
});

export type GrepInput = z.output<typeof grepInput>;
