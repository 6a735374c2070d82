import * as z from "zod";
import { DESTRUCTIVE } from "../../../tools/tool.ts";
import { inFirstRoot } from "../../placed.ts";
import { capability } from "../definition.ts";
import { LIST, outOfScope } from "../errors.ts";
import { dateTime, filesystemPath } from "../values.ts";

/** `delete` is a word of the language. */
export const remove = capability({
  name: "filesystem.delete",
  version: "1.0",
  permission_tier: "approval_required",
  purpose: "Moves a file or an empty directory into the trash, from where it can be brought back for a while.",
  when_to_use: "For what is no longer needed; somebody has to say yes. To bring it back: filesystem.restore.",
  inputs: z.strictObject({
    path: filesystemPath.describe("The file or empty directory, as an absolute path"),
    recursive: z.boolean().default(false).describe("Take a directory with all that is in it"),
  }),
  outputs: z.object({
    deleted_path: filesystemPath,
    trash_path: z.string().describe("Where it is now; filesystem.restore takes it"),
    recoverable_until: dateTime.describe("Until when it can be brought back"),
  }),
  side_effects: [
    {
      description: "It moves into the trash, and is gone for good after 24 hours, or 168 when a person deleted it",
      reversible: true,
    },
  ],
  common_patterns: [
    {
      name: "Delete and make sure",
      steps: ["filesystem.delete(path=…)", "filesystem.list(path=…) of the directory above: it is not there any more"],
    },
    {
      name: "Take it back",
      steps: ["filesystem.delete(path=…) gave a trash_path", "filesystem.restore(trash_path=…)"],
    },
  ],
  errors: [
    outOfScope("The path"),
    { type: "FileNotFound", on: ["not_found"], description: "There is nothing at the path", recovery: [LIST] },
    {
      type: "DirectoryNotEmpty",
      on: ["not_empty"],
      description: "The directory holds something",
      recovery: [
        {
          action: "list_contents",
          description: "Call filesystem.list to see what it holds, and delete that first",
          capability: "filesystem.list",
        },
        {
          action: "recursive",
          description: "Call again with recursive=true to take all of it",
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
    const { trash_path = "", recoverable_until = "" } = await native.ask("delete", { path: deleted, recursive });
    return { deleted_path: deleted, trash_path, recoverable_until };
  },
});
