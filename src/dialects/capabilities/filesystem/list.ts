import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { READ_ONLY } from "../../../tools/tool.ts";
import { allEntries, type ListedEntry } from "../../all-entries.ts";
import { inFirstRoot } from "../../in-first-root.ts";
import { capability } from "../definition.ts";
import { outOfScope } from "../errors.ts";
import { dateTime, entryType, filesystemPath, size } from "../schemas.ts";

export const list = capability({
  name: "filesystem.list",
  version: "1.0",
  permission_tier: "autonomous",
  purpose: "Lists the entries of a directory, with sizes and times.",
  when_to_use: "For one directory. By pattern and at any depth: filesystem.search. For one path: filesystem.stat.",
  inputs: z.strictObject({
    path: filesystemPath.describe("The directory, as an absolute path that agent.session calls readable"),
    include_hidden: z.boolean().default(false).describe("Include names that begin with a dot"),
    sort_by: z
      .enum(["name", "size", "modified", "-name", "-size", "-modified"])
      .default("name")
      .describe("The sort key; with a minus, in descending order"),
  }),
  outputs: z.object({
    entries: z.array(z.object({ name: z.string(), type: entryType, size, modified: dateTime.optional() })),
    total: z.int().describe("The number of entries"),
    path: filesystemPath,
  }),
  side_effects: [],
  common_patterns: [
    {
      name: "See what changed last",
      steps: ["filesystem.list(path=…, sort_by='-modified')", "Look at the first entries"],
    },
    { name: "See everything", steps: ["filesystem.list(path=…, include_hidden=true)"] },
  ],
  errors: [
    outOfScope("The path"),
    {
      type: "DirectoryNotFound",
      on: ["not_found"],
      description: "The directory does not exist",
      recovery: [
        {
          action: "search",
          description: "Call filesystem.search on a parent directory to find it by a pattern",
          capability: "filesystem.search",
        },
      ],
    },
    {
      type: "NotADirectory",
      on: ["not_a_directory"],
      description: "The path is a file",
      recovery: [
        { action: "read", description: "Call filesystem.read to read the file", capability: "filesystem.read" },
      ],
    },
  ],
  tags: ["filesystem", "read", "safe", "directory"],
  acts: ["read"],
  uses: ["ls"],
  annotations: READ_ONLY,

  async run({ path, include_hidden, sort_by }, native) {
    const directory = inFirstRoot(path, native);
    const options = { include_hidden, sort_by, times: true, limit: LIMITS.listDetailed };
    const found = await allEntries(native, directory, options);
    return { entries: found.map(entryOf), total: found.length, path: directory };
  },
});

/** Reports 0 for directories, whose own size says nothing about their content. */
const entryOf = ({ name, type, size: bytes = 0, modified }: ListedEntry) => ({
  name,
  type,
  size: type === "directory" ? 0 : bytes,
  modified,
});
