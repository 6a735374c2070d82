import * as z from "zod";
import { READ_ONLY } from "../../../tools/tool.ts";
import { inFirstRoot } from "../../in-first-root.ts";
import { capability } from "../definition.ts";
import { outOfScope } from "../errors.ts";
import { dateTime, entryType, filesystemPath, size } from "../schemas.ts";

export const stat = capability({
  name: "filesystem.stat",
  version: "1.0",
  permission_tier: "autonomous",
  purpose: "Returns the metadata of a file or directory without reading it. A missing path is not an error.",
  when_to_use:
    "To see if something exists, its size and age. For its content: filesystem.read. For a whole directory: filesystem.list.",
  inputs: z.strictObject({ path: filesystemPath.describe("The file or directory, as an absolute path") }),
  outputs: z.object({
    exists: z.boolean(),
    type: entryType.optional().describe("A link itself, not its target"),
    size: size.optional().describe("In bytes; 0 for a directory"),
    modified: dateTime.optional(),
    created: dateTime.optional().describe("Absent if the filesystem does not record it"),
    permissions: z.string().optional().describe("Such as rwxr-xr-x"),
    owner: z.string().optional(),
  }),
  side_effects: [],
  common_patterns: [
    {
      name: "Check before reading",
      steps: ["filesystem.stat(path=…) for exists and type", "filesystem.read(path=…) if it is a file"],
    },
    { name: "Check the size first", steps: ["filesystem.stat(path=…) for size", "Read all of it, or parts"] },
  ],
  errors: [outOfScope("The path")],
  tags: ["filesystem", "read", "safe", "metadata"],
  acts: ["read"],
  uses: ["stat"],
  annotations: READ_ONLY,

  async run({ path }, native) {
    const {
      exists,
      type,
      size: bytes,
      modified,
      created,
      permissions,
      owner,
    } = await native.call("stat", {
      path: inFirstRoot(path, native),
    });
    if (!exists) return { exists };
    return {
      exists,
      type,
      size: type === "directory" ? 0 : bytes,
      modified,
      created,
      permissions: lettersOf(permissions ?? ""),
      owner,
    };
  },
});

/** Converts "755" to "rwxr-xr-x". */
const lettersOf = (octal: string): string => {
  const bits = Number.parseInt(octal.slice(-3), 8);
  return "rwxrwxrwx".replaceAll(/./g, (letter, nth: number) => (bits & (0o400 >> nth) ? letter : "-"));
};
