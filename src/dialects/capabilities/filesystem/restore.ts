import * as z from "zod";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { DESTRUCTIVE } from "../../../tools/tool.ts";
import { inFirstRoot } from "../../in-first-root.ts";
import { capability } from "../definition.ts";
import { diskFull, LIST, outOfScope } from "../errors.ts";
import { filesystemPath, size } from "../schemas.ts";

export const restore = capability({
  name: "filesystem.restore",
  version: "1.0",
  permission_tier: "notify",
  purpose: "Restores a deleted file or directory from the trash to its original path.",
  when_to_use: "After filesystem.delete. By path, restores what was deleted there last; by trash_path, exactly that.",
  inputs: z.strictObject({
    path: filesystemPath.optional().describe("The original path; give this or trash_path"),
    trash_path: z
      .string()
      .max(LIMITS.argumentChars)
      .optional()
      .describe("The trash_path that filesystem.delete returned"),
    overwrite: z.boolean().default(false).describe("Replace an existing file"),
  }),
  outputs: z.object({
    restored_path: filesystemPath,
    trash_path: z.string(),
    size: size.describe("In bytes; 0 for a directory"),
  }),
  side_effects: [{ description: "It is back at its path, and no longer in the trash", reversible: true }],
  common_patterns: [
    { name: "Undo a delete", steps: ["filesystem.restore(path=…) with the path that was deleted"] },
    {
      name: "Restore an older version of several",
      steps: ["filesystem.restore(trash_path=…, overwrite=true) with the trash_path of that delete"],
    },
  ],
  errors: [
    outOfScope("The path"),
    {
      type: "FileNotFound",
      on: ["not_found"],
      description: "It is not in the trash",
      recovery: [LIST],
    },
    {
      type: "DestinationExists",
      on: ["exists"],
      description: "The path exists, and overwrite is false",
      recovery: [
        {
          action: "overwrite",
          description: "Call again with overwrite=true to replace it",
          inputs: { overwrite: true },
        },
        {
          action: "move",
          description: "Call filesystem.move to move the existing file first",
          capability: "filesystem.move",
        },
      ],
    },
    diskFull,
  ],
  tags: ["filesystem", "write", "modifying", "recovery"],
  acts: ["create"],
  uses: ["restore", "stat"],
  annotations: DESTRUCTIVE,

  async run({ path, trash_path: trashed, overwrite }, native) {
    if ((path === undefined) === (trashed === undefined))
      throw new Fault("invalid_input", 'Cannot restore: give either "path" or "trash_path"', { argument: "path" });
    const target = path === undefined ? { trash_id: idIn(trashed ?? "") } : { path: inFirstRoot(path, native) };
    const { path: back, trash_id } = await native.call("restore", { ...target, overwrite });
    const restored = inFirstRoot(back, native);
    const { type, size: bytes = 0 } = await native.call("stat", { path: restored });
    return { restored_path: restored, trash_path: TRASH + trash_id, size: type === "directory" ? 0 : bytes };
  },
});

const TRASH = "trash:";

function idIn(trashed: string): string {
  if (trashed.startsWith(TRASH)) return trashed.slice(TRASH.length);
  throw new Fault("invalid_input", `Cannot restore ${JSON.stringify(trashed)}: a trash_path begins with "${TRASH}"`, {
    argument: "trash_path",
  });
}
