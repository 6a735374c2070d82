import * as z from "zod";
import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { decode, encodingNamed } from "../../text/encoding/encoding.ts";
import { READ_ONLY } from "../../tools/tool.ts";
import { dialectTool } from "../dialect.ts";
import { wholeBase64 } from "../whole-file.ts";
import { envelopeSchema, successEnvelope, encoding, filePath, source as named } from "./envelope.ts";
import { resolveFacts } from "./facts.ts";
import { type Storage, storageOf } from "./storage.ts";

export const read = dialectTool({
  name: "fractary_file_read",
  title: "Read a file",
  description: "Read a file.",
  annotations: READ_ONLY,
  input: z.strictObject({
    path: filePath.describe("Path to the file to read"),
    encoding,
    source: named,
    offset: z.int().min(0).max(LIMITS.offsetMost).optional().describe("Read only a part: from this byte"),
    length: z.int().min(1).max(LIMITS.pageBytesMost).optional().describe("Read only a part: this many bytes"),
  }),
  uses: ["read"],
  output: envelopeSchema({ path: z.string(), content: z.string(), size: z.int(), version: z.string().optional() }),
  async run({ path: given, encoding: label, source, offset, length }, native) {
    const storage = storageOf(source, native);
    const isWhole = offset === undefined && length === undefined;
    const part = isWhole ? await readWhole(storage, given) : await readPart(storage, given, offset, length);
    const content = label === "base64" ? part.content : decodedText(part.content, label, given);
    return successEnvelope({ path: given, ...part, content });
  },
});

async function readWhole(storage: Storage<"read">, path: string) {
  const content = await wholeBase64(storage, path);
  return { content, size: Buffer.byteLength(content, "base64") };
}

/** Returns a part with the size of the whole file, and its version to detect changes between parts. */
async function readPart(storage: Storage<"read">, path: string, offset = 0, limit: number = LIMITS.pageBytesMost) {
  const { content = "", size, version } = await storage.call("read", { path, encoding: "base64", offset, limit });
  return { content, size, version };
}

/** Decodes the bytes exactly. Throws if they are not valid in the encoding. */
function decodedText(base64: string, label: string, given: string): string {
  try {
    return decode(Buffer.from(base64, "base64"), encodingNamed(label));
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
  output: envelopeSchema({ path: z.string(), exists: z.boolean() }),
  async run({ path: given, source }, native) {
    const { exists: isThere } = await resolveFacts(storageOf(source, native), given);
    return successEnvelope({ path: given, exists: isThere });
  },
});
