import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import type { FindOptions, NumberRange } from "../../../workspace/walk/find.ts";
import { entryType } from "../../entry-types.ts";
import { pathInput } from "../../paths.ts";
import { timeIn } from "../../time-argument.ts";
import { UNLISTED } from "../../unlisted.ts";

const KEYS = ["path", "modified", "size"] as const;
const GROUPS = ["extension", "directory", "day"] as const;

const pattern = z.string().min(1).max(LIMITS.argumentChars);
const size = z.int().min(0).optional().meta(UNLISTED.report);
const time = z.string().max(LIMITS.quotedNameChars).optional().describe("ISO time, or an age such as 10m");

export const findInput = z.strictObject({
  pattern: z
    .union(
      [pattern, z.array(pattern).min(1).max(LIMITS.excludePatterns)],
      "give a glob such as *.ts, or a list of globs",
    )
    .meta({ listed: { type: ["string", "array"], items: { type: "string" } } }),
  path: pathInput.optional(),
  exclude: z.array(pattern).max(LIMITS.excludePatterns).default([]),
  type: entryType.exclude(["other"]).optional(),
  min_size: size,
  max_size: size,
  modified_after: time,
  modified_before: time.meta(UNLISTED.report),
  sort_by: z
    .enum([...KEYS, "-path", "-modified", "-size"])
    .default("path")
    .meta({ listed: { enum: ["path", "-modified", "-size"] } }),
  limit: z.int().min(1).max(LIMITS.findMatchesMost).optional(),
  cursor: z.string().max(LIMITS.argumentChars).optional(),
  include_ignored: z.boolean().default(false),
  // A pattern that names a hidden file finds it anyway.
  include_hidden: z.boolean().default(false),
  group_by: z.enum(GROUPS).optional().meta(UNLISTED.report),
  duplicates: z.boolean().default(false).meta(UNLISTED.report),
});

export type FindInput = z.output<typeof findInput>;

/** Converts the arguments to options of the search. */
export function findOptionsOf(args: FindInput): FindOptions {
  const isCounted = args.duplicates || args.group_by !== undefined;
  const [sizes, times] = [spanOf(args.min_size, args.max_size), timesOf(args)];
  return {
    patterns: [args.pattern].flat(),
    exclude: args.exclude,
    includeIgnored: args.include_ignored,
    includeHidden: args.include_hidden,
    // Only the size of a file is meaningful.
    kind: args.type ?? (isCounted || isBounded(sizes) ? "file" : undefined),
    sizes,
    times,
    needsFacts: isCounted || isBounded(sizes) || isBounded(times) || !args.sort_by.endsWith("path"),
  };
}

const spanOf = (least = -Infinity, most = Infinity): NumberRange => ({ min: least, max: most });
const isBounded = ({ min, max }: NumberRange): boolean => min !== -Infinity || max !== Infinity;

const timesOf = (args: FindInput): NumberRange =>
  spanOf(momentOf("modified_after", args), momentOf("modified_before", args));

function momentOf(argument: "modified_after" | "modified_before", args: FindInput): number | undefined {
  const given = args[argument];
  return given === undefined ? undefined : timeIn(given, argument);
}
