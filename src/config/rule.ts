import * as z from "zod";
import { LIMITS } from "../base/limits.ts";
import { ACTS, CHANNELS, VERDICTS } from "../base/verdicts.ts";

const oneOrMore = <T extends z.ZodType>(one: T) => z.union([one, z.array(one).min(1)]);

const pattern = z.string().min(1).max(LIMITS.patternChars);

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'give a time of the day such as "09:30"' });

/** One rule of a configuration file. A condition that is left out always holds. */
export const rule = z
  .strictObject({
    act: oneOrMore(z.enum(ACTS)).describe("The acts it applies to. write includes create, delete includes erase"),
    path: oneOrMore(pattern)
      .optional()
      .describe(
        'Globs: relative to the roots, or absolute, or from "~/". One that ends in a plain name also matches all below it',
      ),
    command: oneOrMore(pattern).optional().describe('For exec: the first words of a command, such as "git push"'),
    tool: oneOrMore(pattern)
      .optional()
      .describe("For exec and network: the tools that do it. Names, group:plugins, ids of plugins, or globs with *"),
    decide: z.enum(VERDICTS).describe("The verdict. The strictest rule that matches decides"),
    channels: z
      .array(z.enum(CHANNELS))
      .min(1)
      .optional()
      .describe("For approval: the channels that may answer. Without it, all that are available"),
    when: z
      .strictObject({
        path_prefix: pattern.optional().describe("Only in this directory, relative to the roots or absolute"),
        content_size_lt: z
          .int()
          .min(0)
          .optional()
          .describe("Only contents smaller than this many bytes; for write and create"),
        content_size_gte: z
          .int()
          .min(0)
          .optional()
          .describe("Only contents of this many bytes or more; for write and create"),
        from: time.optional().describe("Only from this time of the day on, local time"),
        until: time.optional().describe("Only until this time of the day; may be after midnight"),
      })
      .optional()
      .describe("The rule matches only if all of these conditions hold"),
    rate_limit: z
      .strictObject({
        max: z.int().min(1),
        window: z.string().regex(/^[1-9]\d*[smhd]$/, { error: 'give a time such as "30s", "10m", "1h" or "1d"' }),
        on_exceed: z.enum(VERDICTS),
      })
      .optional()
      .describe("Beyond max matches within window, on_exceed is the verdict"),
    trees: z
      .boolean()
      .optional()
      .describe("false: ignores files inside a directory that is moved, copied or deleted as a whole"),
    reason: z
      .string()
      .max(LIMITS.argumentChars)
      .optional()
      .describe("Shown to the agent that is refused and to the person who is asked"),
    match: z
      .array(pattern)
      .max(LIMITS.ruleExamples)
      .optional()
      .describe("Paths, commands or tools that the rule must match; checked when it is loaded"),
    not_match: z
      .array(pattern)
      .max(LIMITS.ruleExamples)
      .optional()
      .describe("Paths, commands or tools that the rule must not match"),
  })
  .describe("Decides what may happen");

export type RuleEntry = z.output<typeof rule>;
