import * as z from "zod";
import { DESTRUCTIVE } from "../../../tools/tool.ts";
import { inFirstRoot } from "../../in-first-root.ts";
import { capability } from "../definition.ts";
import { LIST, outOfScope } from "../errors.ts";
import { dateTime, filesystemPath } from "../schemas.ts";

/** Is named `remove`, because `delete` is a reserved word. */
export const remove = capability({
  name: "filesystem.delete",
  version: "1.0",
  permission_tier: "approval_required",
  purpose: "Moves a file or an empty directory to the trash, from where it can be restored for a while.",
  when_to_use: "For files that are no longer needed; needs an approval. To bring it back: filesystem.restore.",
  inputs: z.strictObject({
    path: filesystemPath.describe("The file or empty directory, as an absolute path"),
    recursive: z.boolean().default(false).describe("Delete a directory with all its content"),
  }),
  outputs: z.object({
    deleted_path: filesystemPath,
    trash_path: z.string().describe("Where it is now; filesystem.restore takes it"),
    recoverable_until: dateTime.describe("Until when it can be restored"),
  }),
  side_effects: [
    {
      description: "It moves to the trash, and is purged after 24 hours, or 168 if a person deleted it",
      reversible: true,
    },
  ],
  common_patterns: [
    {
      name: "Delete and make sure",
      steps: ["filesystem.delete(path=…)", "filesystem.list(path=…) of the parent directory: it is no longer listed"],
    },
    {
      name: "Undo a delete",
      steps: ["filesystem.delete(path=…) gave a trash_path", "filesystem.restore(trash_path=…)"],
    },
  ],
  errors: [
    outOfScope("The path"),
    { type: "FileNotFound", on: ["not_found"], description: "The path does not exist", recovery: [LIST] },
    {
      type: "DirectoryNotEmpty",
      on: ["not_empty"],
      description: "The directory is not empty",
      recovery: [
        {
          action: "list_contents",
          description: "Call filesystem.list to see its entries, and delete those first",
          capability: "filesystem.list",
        },
        {
          action: "recursive",
          description: "Call again with recursive=true to delete all of it",
          inputs: { recursive: true },
        },
      ],
    },
  ],
  tags: ["filesystem", "write", "destructive"],
  acts: ["delete"],
  uses: ["delete"],
  annotations: DESTRUCTIVE,

  async run({ path, recursive }, native) {
    const deleted = inFirstRoot(path, native);
    const { trash_path = "", recoverable_until = "" } = await native.call("delete", { path: deleted, recursive });
    return { deleted_path: deleted, trash_path, recoverable_until };
  },
});
