import * as z from "zod";
import { DESTRUCTIVE } from "../../../tools/tool.ts";
import { inFirstRoot } from "../../in-first-root.ts";
import { capability } from "../definition.ts";
import { destinationExists, diskFull, outOfScope, parentNotFound, sourceNotFound } from "../errors.ts";
import { filesystemPath, size } from "../schemas.ts";

export const move = capability({
  name: "filesystem.move",
  version: "1.0",
  permission_tier: "notify",
  purpose: "Moves or renames a file.",
  when_to_use: "For another name or place. To keep the original: filesystem.copy. To delete it: filesystem.delete.",
  inputs: z.strictObject({
    source: filesystemPath.describe("The file, as an absolute path that agent.session calls writable"),
    destination: filesystemPath.describe("The full new path; the parent directory must exist"),
    overwrite: z.boolean().default(false).describe("Replace an existing file"),
  }),
  outputs: z.object({ source: filesystemPath, destination: filesystemPath, size }),
  side_effects: [{ description: "The file moves from the source to the destination", reversible: true }],
  common_patterns: [
    { name: "Rename a file", steps: ["filesystem.move(source='report.txt', destination='report-final.txt')"] },
  ],
  errors: [outOfScope("The source or the destination"), sourceNotFound, parentNotFound, destinationExists, diskFull],
  tags: ["filesystem", "write", "modifying"],
  acts: ["move"],
  uses: ["move", "stat"],
  annotations: DESTRUCTIVE,

  async run({ source, destination, overwrite }, native) {
    const [from, to] = [inFirstRoot(source, native), inFirstRoot(destination, native)];
    await native.call("move", { source: from, destination: to, overwrite, create_parents: false });
    const { type, size: bytes = 0 } = await native.call("stat", { path: to });
    return { source: from, destination: to, size: type === "directory" ? 0 : bytes };
  },
});
