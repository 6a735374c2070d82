import * as z from "zod";
import { ADDITIVE } from "../../../tools/tool.ts";
import { inFirstRoot } from "../../in-first-root.ts";
import { capability } from "../definition.ts";
import { diskFull, outOfScope, parentNotFound } from "../errors.ts";
import { content, filesystemPath, size } from "../schemas.ts";

export const append = capability({
  name: "filesystem.append",
  version: "1.0",
  permission_tier: "notify",
  purpose: "Appends to a file; creates the file if it does not exist.",
  when_to_use: "For logs and data that grow. To replace everything: filesystem.write.",
  inputs: z.strictObject({
    path: filesystemPath.describe("The file, as an absolute path that agent.session calls writable"),
    content: content.describe("The text to append, in the encoding of the file"),
  }),
  outputs: z.object({ path: filesystemPath, new_size: size.describe("Bytes of the whole file now") }),
  side_effects: [{ description: "The file is longer", reversible: false }],
  common_patterns: [{ name: "Add a line to a log", steps: ["filesystem.append(path=…, content='[09:30] done\\n')"] }],
  errors: [outOfScope("The path"), parentNotFound, diskFull],
  tags: ["filesystem", "write", "modifying", "append"],
  acts: ["write", "create"],
  uses: ["write", "stat"],
  annotations: ADDITIVE,

  async run({ path, content: text }, native) {
    const file = inFirstRoot(path, native);
    await native.call("write", { path: file, content: text, append: true, create_parents: false });
    const { size: bytes = 0 } = await native.call("stat", { path: file });
    return { path: file, new_size: bytes };
  },
});
