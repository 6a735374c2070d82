import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { READ_ONLY } from "../../../tools/tool.ts";
import type { Native, NativeCalls } from "../../native.ts";
import { inFirstRoot } from "../../in-first-root.ts";
import { capability } from "../definition.ts";
import { invalidPattern, LIST, outOfScope } from "../errors.ts";
import { dateTime, entryType, filesystemPath, globPattern, size } from "../schemas.ts";

export const search = capability({
  name: "filesystem.search",
  version: "1.0",
  permission_tier: "autonomous",
  purpose: "Finds files and directories by a pattern, at any depth below a directory.",
  when_to_use: "For names. For the content of files: filesystem.search_content. For one directory: filesystem.list.",
  inputs: z.strictObject({
    path: filesystemPath.describe("The directory to search, as an absolute path"),
    pattern: globPattern.describe(
      "*.json matches names at any depth; with a slash, as in src/**/*.ts, paths below path",
    ),
    max_results: z.int().min(1).max(LIMITS.listEntriesMost).default(100),
    include_hidden: z.boolean().default(false).describe("Include names that begin with a dot, and their content"),
  }),
  outputs: z.object({
    matches: z.array(
      z.object({ path: filesystemPath, type: entryType, size: size.optional(), modified: dateTime.optional() }),
    ),
    total_matches: z.int().describe("All matches, including those beyond max_results"),
    truncated: z.boolean().describe("There are more than max_results"),
  }),
  side_effects: [],
  common_patterns: [
    { name: "Find all files of a language", steps: ["filesystem.search(path=…, pattern='**/*.py')"] },
    {
      name: "Find and read",
      steps: ["filesystem.search(path=…, pattern='*.conf')", "filesystem.read(path=…) for the relevant ones"],
    },
  ],
  errors: [
    outOfScope("The directory"),
    {
      type: "DirectoryNotFound",
      on: ["not_found", "not_a_directory"],
      description: "The directory does not exist",
      recovery: [LIST],
    },
    invalidPattern,
  ],
  tags: ["filesystem", "read", "safe", "search"],
  acts: ["read"],
  uses: ["find"],
  annotations: READ_ONLY,

  async run({ path, pattern, max_results: most, include_hidden }, native) {
    const query = { path: inFirstRoot(path, native), pattern, include_hidden, include_ignored: true };
    const { matches, total } = await firstMatches(native, query, most);
    const named = matches.map((match) => ({ ...match, path: inFirstRoot(match.path, native) }));
    return { matches: named, total_matches: total, truncated: total > named.length };
  },
});

type Match = NonNullable<NativeCalls["find"]["answer"]["matches"]>[number];

/** Collects matches in pages that are short enough to include sizes and times. */
async function firstMatches(native: Native<"find">, query: NativeCalls["find"]["input"], most: number) {
  const matches: Match[] = [];
  let cursor: string | undefined;
  let total: number;
  do {
    const limit = Math.min(most - matches.length, LIMITS.listDetailed);
    const answer = await native.call("find", { ...query, limit, ...(cursor !== undefined && { cursor }) });
    for (const match of answer.matches ?? []) matches.push(match);
    ({ cursor, total_matches: total } = answer);
  } while (cursor !== undefined && matches.length < most);
  return { matches, total };
}
