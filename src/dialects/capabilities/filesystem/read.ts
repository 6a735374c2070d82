import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { READ_ONLY } from "../../../tools/tool.ts";
import { inFirstRoot } from "../../in-first-root.ts";
import { byteRangeOf } from "../../whole-file.ts";
import { capability } from "../definition.ts";
import { LIST, outOfScope, REQUEST_ACCESS, SEARCH } from "../errors.ts";
import { dateTime, filesystemPath, nativeEncoding, sha256, size } from "../schemas.ts";

export const read = capability({
  name: "filesystem.read",
  version: "1.0",
  permission_tier: "autonomous",
  purpose: "Reads a file: its content, size, time and checksum.",
  when_to_use: "For the content of a file. For metadata only: filesystem.stat. To find a path: filesystem.search.",
  inputs: z.strictObject({
    path: filesystemPath.describe("The file, as an absolute path that agent.session calls readable"),
    encoding: z
      .string()
      .max(LIMITS.quotedNameChars)
      .default("utf-8")
      .describe("The encoding of the text; 'binary' returns any file as base64"),
    offset: size.optional().describe("First byte, from 0; moved back to the start of a character"),
    limit: z.int().min(1).optional().describe("Bytes at most; everything if absent"),
  }),
  outputs: z.object({
    content: z.string().describe("Text, or base64 with encoding 'binary'"),
    size: size.describe("Bytes of the whole file"),
    modified: dateTime,
    checksum: sha256.describe("Of the whole file"),
    truncated: z.boolean().describe("The file continues after limit"),
  }),
  side_effects: [],
  common_patterns: [
    {
      name: "Check that a file has not changed",
      steps: ["filesystem.read(path=…) for content and checksum", "Compare the checksum with the one you have"],
    },
    {
      name: "Read a large file in parts",
      steps: [
        "filesystem.stat(path=…) for its size",
        "filesystem.read(path=…, offset=0, limit=1048576) for the first MiB",
        "Continue with larger offsets until truncated is false",
      ],
    },
  ],
  errors: [
    outOfScope("The path", REQUEST_ACCESS),
    {
      type: "FileNotFound",
      on: ["not_found"],
      description: "The file does not exist",
      recovery: [SEARCH, LIST],
    },
    {
      type: "EncodingError",
      on: ["not_text"],
      description: "The file is not valid in that encoding",
      recovery: [
        {
          action: "try_binary",
          description: "Call again with encoding='binary' for the bytes as base64",
          inputs: { encoding: "binary" },
        },
      ],
    },
  ],
  tags: ["filesystem", "read", "safe"],
  acts: ["read"],
  uses: ["read"],
  annotations: READ_ONLY,

  async run({ path, encoding, offset = 0, limit = Infinity }, native) {
    const range = { offset, limit, encoding: nativeEncoding(encoding) };
    const {
      content,
      size: bytes,
      modified,
      checksum,
      truncated,
    } = await byteRangeOf(native, inFirstRoot(path, native), range);
    return { content, size: bytes, modified, checksum, truncated };
  },
});
