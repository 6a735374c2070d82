import * as z from "zod";
import { LIMITS } from "../base/limits.ts";
import { ACTS, CHANNELS, VERDICTS } from "../base/verdicts.ts";

const oneOrMore = <T extends z.ZodType>(one: T) => z.union([one, z.array(one).min(1)]);

const pattern = z.string().min(1).max(LIMITS.patternChars);

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'give a time of the day such as "09:30"' });

/** One rule, as people write it. What is left out does not matter to it. */
export const rule = z
  .strictObject({
    act: oneOrMore(z.enum(ACTS)).describe("What it speaks about. write includes create, delete includes erase"),
    path: oneOrMore(pattern)
      .optional()
      .describe(
        'Globs: relative to the roots, or absolute, or from "~/". One that ends in a plain name also means all below it',
      ),
    command: oneOrMore(pattern).optional().describe('For exec: the first words of a command, such as "git push"'),
    tool: oneOrMore(pattern)
      .optional()
      .describe(
        "For exec and network: tools by which it happens. Names, group:plugins, ids of plugins, or globs with *",
      ),
    decide: z.enum(VERDICTS).describe("The strictest rule that speaks decides"),
    channels: z
      .array(z.enum(CHANNELS))
      .min(1)
      .optional()
      .describe("For approval: who may say yes. Without it, whoever can be asked"),
    when: z
      .strictObject({
        path_prefix: pattern.optional().describe("Only in this directory, relative to the roots or absolute"),
        content_size_lt: z
          .int()
          .min(0)
          .optional()
          .describe("Only contents smaller than so many bytes; for write and create"),
        content_size_gte: z
          .int()
          .min(0)
          .optional()
          .describe("Only contents of so many bytes or more; for write and create"),
        from: time.optional().describe("Only from this time of the day on, local time"),
        until: time.optional().describe("Only until this time of the day; may lie after midnight"),
      })
      .optional()
      .describe("It speaks only while all of this is so"),
    rate_limit: z
      .strictObject({
        max: z.int().min(1),
        window: z.string().regex(/^[1-9]\d*[smhd]$/, { error: 'give a time such as "30s", "10m", "1h" or "1d"' }),
        on_exceed: z.enum(VERDICTS),
      })
      .optional()
      .describe("Beyond so many in a while it decides otherwise"),
    trees: z
      .boolean()
      .optional()
      .describe("false: does not speak of what a directory takes along that is moved, copied or deleted as a whole"),
    reason: z.string().max(LIMITS.argumentChars).optional().describe("What whoever is refused or asked is told"),
    match: z
      .array(pattern)
      .max(LIMITS.ruleExamples)
      .optional()
      .describe("Paths, commands or tools that it must speak about; checked when it is loaded"),
    not_match: z
      .array(pattern)
      .max(LIMITS.ruleExamples)
      .optional()
      .describe("Paths, commands or tools that it must not speak about"),
  })
  .describe("Says what may happen");

export type RuleEntry = z.output<typeof rule>;
