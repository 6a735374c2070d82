import * as z from "zod";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { createPattern, escapeRegex } from "../../../text/search/pattern.ts";
import { READ_ONLY } from "../../../tools/tool.ts";
import type { Native, NativeCalls } from "../../native.ts";
import { inFirstRoot } from "../../in-first-root.ts";
import { capability } from "../definition.ts";
import { LIST, outOfScope } from "../errors.ts";
import { distinctHits } from "../search-hits.ts";
import { filesystemPath, globPattern } from "../schemas.ts";

const globs = z.array(globPattern).max(LIMITS.excludePatterns).default([]);

const inputs = z.strictObject({
  path: filesystemPath.describe("The directory or file to search, as an absolute path"),
  pattern: z.string().min(1).max(LIMITS.argumentChars).describe("Text; with regex, a regular expression of RE2"),
  regex: z.boolean().default(false),
  include: globs.describe("Only files that match one of these"),
  exclude: globs.describe("No files that match one of these"),
  include_all: z.boolean().default(false).describe("Include hidden files and those that .gitignore excludes"),
  max_results: z.int().min(1).max(LIMITS.grepRanked).default(50),
  files_only: z.boolean().default(false).describe("Only files, each with its number of matches"),
  count_by: z
    .union([z.string().max(LIMITS.quotedNameChars), z.int().min(1)])
    .optional()
    .describe("With regex: count the values of a group, given by name or number"),
  total_only: z.boolean().default(false).describe("Only the number of matches; overrides count_by and files_only"),
});

const outputs = z.object({
  total_matches: z.int().describe("Occurrences where they are counted, lines where they are listed"),
  total_files: z.int().optional(),
  matches: z
    .array(
      z.object({
        path: filesystemPath,
        line: z.int(),
        column: z.int(),
        text: z.string(),
        enclosing_snippet: z.string().describe("The lines around it, with the heading of the function or section"),
        repeated: z.int().optional().describe("The number of equal lines below the same heading"),
      }),
    )
    .optional()
    .describe("The most relevant first"),
  files: z.array(z.object({ path: filesystemPath, match_count: z.int() })).optional(),
  counts: z.array(z.object({ value: z.string(), count: z.int() })).optional(),
  truncated: z.boolean(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type GrepInput = NativeCalls["grep"]["input"];

export const searchContent = capability({
  name: "filesystem.search_content",
  version: "1.0",
  permission_tier: "autonomous",
  purpose: "Finds text in files and shows it in context, definitions first.",
  when_to_use:
    "To find where something is in one call. For names of files: filesystem.search. To read more: filesystem.read.",
  inputs,
  outputs,
  side_effects: [],
  common_patterns: [
    { name: "Find where something is defined", steps: ["filesystem.search_content(path=…, pattern='parseConfig')"] },
    {
      name: "Count by kind",
      steps: ["filesystem.search_content(path=…, pattern='level=(\\\\w+)', regex=true, count_by=1)"],
    },
  ],
  errors: [
    outOfScope("The path"),
    {
      type: "DirectoryNotFound",
      on: ["not_found", "not_a_directory"],
      description: "The path does not exist",
      recovery: [LIST],
    },
    {
      type: "InvalidPattern",
      on: ["invalid_input"],
      argument: "pattern",
      description: "The regular expression is invalid",
      recovery: [
        {
          action: "literal",
          description: "Call again with regex=false to search for the text itself",
          inputs: { regex: false },
        },
        { action: "simplify", description: "Use a simpler expression, without look-around and back-references" },
      ],
    },
  ],
  tags: ["filesystem", "read", "safe", "search"],
  acts: ["read"],
  uses: ["grep"],
  annotations: READ_ONLY,

  run(given, native) {
    const query = grepInputOf(given, native);
    if (given.total_only) return totalOf(given, query, native);
    if (given.count_by !== undefined) return countsOf(given, query, native);
    return given.files_only ? filesOf(query, native) : matchesOf(query, native);
  },
});

function grepInputOf(
  { path, pattern, regex, include, exclude, include_all: all, max_results: limit }: Inputs,
  native: Native,
): GrepInput {
  return {
    path: inFirstRoot(path, native),
    pattern,
    literal: !regex,
    exclude: [...exclude],
    limit,
    include_ignored: all,
    include_hidden: all,
    ...(include.length > 0 && { glob: include.length === 1 ? include[0] : `{${include.join(",")}}` }),
  };
}

/**
 * Counts occurrences by a group around the pattern. Multi-line patterns are counted by the lines that they start in.
 */
async function totalOf({ pattern, regex }: Inputs, query: GrepInput, native: Native<"grep">): Promise<Outputs> {
  await createPattern({ pattern, isLiteral: !regex, ignoresCase: false, isWord: false });
  const counting: Partial<GrepInput> = /\n|\\n/.test(pattern)
    ? { mode: "total" }
    : { literal: false, pattern: `(${regex ? pattern : escapeRegex(pattern)})`, count_by: 1, limit: 1 };
  const { total_matches, total_files } = await native.call("grep", { ...query, ...counting });
  return { total_matches, total_files, truncated: false };
}

async function countsOf({ regex, count_by }: Inputs, query: GrepInput, native: Native<"grep">): Promise<Outputs> {
  if (!regex)
    throw new Fault("invalid_input", "Cannot count by a group: only a regular expression has groups; give regex=true", {
      argument: "count_by",
    });
  const { groups, total_matches, total_files, truncated } = await native.call("grep", { ...query, count_by });
  return { total_matches, total_files, counts: groups ?? [], truncated };
}

async function filesOf(query: GrepInput, native: Native<"grep">): Promise<Outputs> {
  const { files = [], total_matches, truncated } = await native.call("grep", { ...query, mode: "count" });
  const named = files.map(({ path, count = 0 }) => ({ path: inFirstRoot(path, native), match_count: count }));
  return { total_matches, files: named, truncated };
}

async function matchesOf(query: GrepInput, native: Native<"grep">): Promise<Outputs> {
  const around = { context: SNIPPET_LINES, enclosing: true };
  const answer = await native.call("grep", { ...query, ...around });
  const matches = distinctHits(answer, native);
  return { total_matches: answer.total_matches, matches: [...matches], truncated: answer.truncated };
}

const SNIPPET_LINES = 2;
