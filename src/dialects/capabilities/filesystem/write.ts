import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { DESTRUCTIVE } from "../../../tools/tool.ts";
import { inFirstRoot } from "../../in-first-root.ts";
import { capability } from "../definition.ts";
import { diskFull, outOfScope, REQUEST_ACCESS } from "../errors.ts";
import { content, filesystemPath, nativeEncoding, sha256, size } from "../schemas.ts";

export const write = capability({
  name: "filesystem.write",
  version: "1.0",
  permission_tier: "notify",
  purpose: "Creates a file or replaces its content, atomically.",
  when_to_use: "For new content. To add to a file: filesystem.append. For the same content elsewhere: filesystem.copy.",
  inputs: z.strictObject({
    path: filesystemPath.describe("The file, as an absolute path that agent.session calls writable"),
    content: content.describe("Text, or base64 with encoding 'binary'"),
    encoding: z
      .string()
      .max(LIMITS.quotedNameChars)
      .default("utf-8")
      .describe("The encoding to write; 'binary' writes the decoded base64"),
    create_parents: z.boolean().default(false).describe("Create missing parent directories"),
  }),
  outputs: z.object({
    path: filesystemPath,
    size: size.describe("The number of bytes written"),
    checksum: sha256.describe("Of the bytes written"),
  }),
  side_effects: [{ description: "A file is created or replaced; the history keeps the old content", reversible: true }],
  common_patterns: [
    {
      name: "Replace a configuration file",
      steps: ["filesystem.write(path=…, content=…)", "filesystem.read(path=…) to verify it"],
    },
    {
      name: "Create a file in a new directory",
      steps: ["filesystem.write(path=…, content=…, create_parents=true)"],
    },
  ],
  errors: [
    outOfScope("The path", REQUEST_ACCESS),
    {
      type: "ParentNotFound",
      on: ["not_found", "not_a_directory"],
      description: "A parent directory does not exist",
      recovery: [
        {
          action: "create_parents",
          description: "Call again with create_parents=true to create missing directories",
          inputs: { create_parents: true },
        },
      ],
    },
    diskFull,
    {
      type: "EncodingError",
      on: ["cannot_encode"],
      description: "The encoding cannot represent some of the characters",
      recovery: [
        { action: "try_utf8", description: "Call again with encoding='utf-8'", inputs: { encoding: "utf-8" } },
      ],
    },
  ],
  tags: ["filesystem", "write", "modifying"],
  acts: ["write", "create"],
  uses: ["write", "stat"],
  annotations: { ...DESTRUCTIVE, idempotentHint: true },

  async run({ path, content: text, encoding, create_parents }, native) {
    const file = inFirstRoot(path, native);
    const input = { path: file, content: text, encoding: nativeEncoding(encoding), create_parents };
    const { bytes } = await native.call("write", { ...input, overwrite: true });
    const { sha256: checksum = "" } = await native.call("stat", { path: file, checksum: true });
    return { path: file, size: bytes, checksum };
  },
});
