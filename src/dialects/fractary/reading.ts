import * as z from "zod";
import { Fault, isFault } from "../../base/errors.ts";
import { decode, encodingNamed } from "../../text/encoding.ts";
import { READ_ONLY } from "../../tools/tool.ts";
import { dialectTool } from "../dialect.ts";
import { wholeBase64 } from "../whole-file.ts";
import { answering, done, encoding, filePath, source as named } from "./envelope.ts";
import { leadingTo } from "./looking.ts";
import { storageOf } from "./storage.ts";

export const read = dialectTool({
  name: "fractary_file_read",
  title: "Read a file",
  description: "Read a file.",
  annotations: READ_ONLY,
  input: z.strictObject({ path: filePath.describe("Path to the file to read"), encoding, source: named }),
  uses: ["read"],
  output: answering({ path: z.string(), content: z.string(), size: z.int() }),
  async run({ path: given, encoding: label, source }, native) {
    const base64 = await wholeBase64(storageOf(source, native), given);
    const bytes = Buffer.from(base64, "base64");
    const content = label === "base64" ? base64 : textIn(bytes, label, given);
    return done({ path: given, content, size: bytes.length });
  },
});

/** Exactly what the encoding makes of the bytes; where it makes nothing of them, that is said. */
function textIn(bytes: Uint8Array, label: string, given: string): string {
  try {
    return decode(bytes, encodingNamed(label));
  } catch (error) {
    if (!isFault(error) || error.code !== "not_text") throw error;
    throw new Fault("not_text", `File '${given}' is not text in ${label}`, { path: given });
  }
}

export const exists = dialectTool({
  name: "fractary_file_exists",
  title: "Check for a file",
  description: "Check if a file exists.",
  annotations: READ_ONLY,
  input: z.strictObject({ path: filePath.describe("Path to check"), source: named }),
  uses: ["stat"],
  output: answering({ path: z.string(), exists: z.boolean() }),
  async run({ path: given, source }, native) {
    const { exists: isThere } = await leadingTo(storageOf(source, native), given);
    return done({ path: given, exists: isThere });
  },
});
