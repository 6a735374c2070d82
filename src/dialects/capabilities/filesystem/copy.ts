import * as z from "zod";
import { Fault } from "../../../base/errors.ts";
import { DESTRUCTIVE } from "../../../tools/tool.ts";
import { inFirstRoot } from "../../in-first-root.ts";
import { capability } from "../definition.ts";
import { destinationExists, diskFull, outOfScope, parentNotFound, sourceNotFound } from "../errors.ts";
import { filesystemPath, sha256, size } from "../schemas.ts";

export const copy = capability({
  name: "filesystem.copy",
  version: "1.0",
  permission_tier: "notify",
  purpose: "Copies a file. Directories are copied file by file, with filesystem.list.",
  when_to_use: "For the same content in two places. For other content: filesystem.write. To move it: filesystem.move.",
  inputs: z.strictObject({
    source: filesystemPath.describe("The file, as an absolute path that agent.session calls readable"),
    destination: filesystemPath.describe("The full name of the copy; the parent directory must exist"),
    overwrite: z.boolean().default(false).describe("Replace an existing file"),
  }),
  outputs: z.object({
    source: filesystemPath,
    destination: filesystemPath,
    size,
    checksum: sha256.describe("Of the copy"),
  }),
  side_effects: [{ description: "A file is created at the destination", reversible: true }],
  common_patterns: [
    {
      name: "Keep a copy before a change",
      steps: [
        "filesystem.copy(source='config.json', destination='config.json.bak')",
        "filesystem.write(path='config.json', content=…)",
      ],
    },
  ],
  errors: [outOfScope("The source or the destination"), sourceNotFound, parentNotFound, destinationExists, diskFull],
  tags: ["filesystem", "write", "modifying"],
  acts: ["create"],
  uses: ["copy", "stat"],
  annotations: DESTRUCTIVE,

  async run({ source, destination, overwrite }, native) {
    const [from, to] = [inFirstRoot(source, native), inFirstRoot(destination, native)];
    const { type } = await native.call("stat", { path: from });
    if (type === "directory")
      throw new Fault("invalid_input", `Cannot copy ${JSON.stringify(source)}: it is a directory`, {
        argument: "source",
      });
    await native.call("copy", { source: from, destination: to, overwrite, create_parents: false });
    const { size: bytes = 0, sha256: checksum = "" } = await native.call("stat", { path: to, checksum: true });
    return { source: from, destination: to, size: bytes, checksum };
  },
});
