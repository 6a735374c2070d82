import * as z from "zod";
import { Fault } from "../../../base/errors.ts";
import { isWithin } from "../../../base/paths.ts";
import { READ_ONLY } from "../../../tools/tool.ts";
import { inFirstRoot } from "../../in-first-root.ts";
import { capability } from "../definition.ts";
import { outOfScope } from "../errors.ts";
import { filesystemPath, size } from "../schemas.ts";

export const diskUsage = capability({
  name: "system.disk_usage",
  version: "1.0",
  permission_tier: "autonomous",
  purpose: "Returns the free and used space of the disks that hold the directories of this agent.",
  when_to_use: "Before writing much, and when a disk is full.",
  inputs: z.strictObject({
    path: filesystemPath.optional().describe("Only the disk that holds this path"),
  }),
  outputs: z.object({
    disks: z.array(
      z.object({
        path: filesystemPath,
        total_bytes: size,
        used_bytes: size,
        free_bytes: size.describe("Space that this agent can still use"),
        used_percent: z.number(),
      }),
    ),
  }),
  side_effects: [],
  common_patterns: [
    {
      name: "Check before writing much",
      steps: ["system.disk_usage(path=…)", "Compare free_bytes with what you will write"],
    },
  ],
  errors: [outOfScope("The path")],
  tags: ["system", "read", "safe"],
  acts: [],
  uses: ["session"],
  makesNoNativeCalls: true,
  annotations: { ...READ_ONLY, idempotentHint: false },

  async run({ path }, native) {
    const disks = native.facts.disks();
    const selected =
      path === undefined ? disks : disks.filter((disk) => isWithin(inFirstRoot(path, native), disk.path));
    if (selected.length === 0 && path !== undefined)
      throw new Fault(
        "outside_workspace",
        `Cannot show the disk of ${JSON.stringify(path)}: it is outside the workspace`,
      );
    return { disks: selected.map(usageOf) };
  },
});

const usageOf = ({ path, total, free }: { readonly path: string; readonly total: number; readonly free: number }) => ({
  path,
  total_bytes: total,
  used_bytes: total - free,
  free_bytes: free,
  used_percent: total === 0 ? 0 : Math.round(((total - free) / total) * 1000) / 10,
});
