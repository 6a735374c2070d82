import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { visible } from "../../text/quote.ts";
import type { Block } from "../../tools/tool.ts";
import { type DialectTool, dialectTool } from "../dialect.ts";
import type { Native } from "../native.ts";
import { wholeBase64, wholeText } from "../whole-file.ts";
import { phraseOf } from "./faults.ts";
import { READ_ANNOTATIONS, TEXT_OUTPUT, messageAnswer } from "./message-answer.ts";
import { toAbsolute, expandHome, pathInput } from "./paths.ts";

const text = z.object({
  path: pathInput,
  tail: z.number().optional().describe("Only so many lines from the end"),
  head: z.number().optional().describe("Only so many lines from the start"),
});

export const readTextFile = dialectTool({
  name: "read_text_file",
  title: "Read Text File",
  description: "Read a file as text: all of it, or with head or tail (not both) its first or last lines.",
  annotations: READ_ANNOTATIONS,
  input: text,
  output: TEXT_OUTPUT,
  uses: ["read"],
  run: async (input, native) => messageAnswer(await textOf(input, native)),
});

export const readFile: DialectTool = {
  ...readTextFile,
  name: "read_file",
  title: "Read File (Deprecated)",
  description: "The former name of read_text_file.",
};

async function textOf({ path: given, head, tail }: z.output<typeof text>, native: Native<"read">): Promise<string> {
  if (head && tail)
    throw new Fault("invalid_input", "Cannot specify both head and tail parameters simultaneously", {
      argument: "head",
    });
  const file = expandHome(given);
  if (head) return (await wholeText(native, file, { lines: countOf("head", head) })).replace(/\n$/, "");
  return wholeText(native, file, tail ? { offset: -countOf("tail", tail) } : {});
}

/** Rounds fractions up. Throws for numbers that are not positive. */
function countOf(argument: string, given: number): number {
  if (given > 0) return Math.min(Math.ceil(given), LIMITS.offsetMost);
  throw new Fault("invalid_input", `Cannot read ${given} lines: give a positive number as ${argument}`, { argument });
}

const MEDIA = z.union([
  z.object({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() }),
  z.object({
    type: z.literal("resource"),
    resource: z.object({ uri: z.string(), mimeType: z.string().optional(), blob: z.string() }),
  }),
]);

export const readMediaFile = dialectTool({
  name: "read_media_file",
  title: "Read Media File",
  description: "Read an image, sound or any other file as base64, with its MIME type.",
  annotations: READ_ANNOTATIONS,
  input: z.object({ path: pathInput }),
  output: z.object({ content: z.array(MEDIA) }),
  uses: ["read"],
  async run({ path: given }, native) {
    const data = await wholeBase64(native, expandHome(given));
    const mime = MIMES[extname(given).toLowerCase()];
    const uri = pathToFileURL(toAbsolute(given, native)).href;
    const block: Block = mime
      ? { kind: mime.startsWith("image/") ? "image" : "audio", data, mime }
      : { kind: "resource", data, mime: "application/octet-stream", uri };
    return { blocks: [block], data: { content: [mediaOf(block)] } };
  },
});

const MIMES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".bmp": "image/bmp",
  ".svg": "image/svg+xml",
  ".mp3": "audio/mpeg",
  ".wav": "audio/wav",
  ".ogg": "audio/ogg",
  ".flac": "audio/flac",
};

/** Converts a block to the protocol's form, which this dialect repeats as structured data. */
const mediaOf = (block: Exclude<Block, { readonly kind: "text" }>): z.output<typeof MEDIA> =>
  block.kind === "resource"
    ? { type: "resource", resource: { uri: block.uri, mimeType: block.mime, blob: block.data } }
    : { type: block.kind, data: block.data, mimeType: block.mime };

export const readMultipleFiles = dialectTool({
  name: "read_multiple_files",
  title: "Read Multiple Files",
  description: "Read several files as text. One that cannot be read does not spoil the others.",
  annotations: READ_ANNOTATIONS,
  input: z.object({ paths: z.array(pathInput).min(1).describe("The files to read") }),
  output: TEXT_OUTPUT,
  uses: ["read"],
  async run({ paths }, native) {
    const parts: string[] = [];
    let room: number = LIMITS.answerChars;
    for (const each of paths) {
      const part = await partOf(each, native);
      room -= part.length;
      if (room < 0) throw new Fault("too_large", "Cannot read all of these files in one answer: ask for fewer");
      parts.push(part);
    }
    return messageAnswer(parts.join("\n---\n"));
  },
});

/** Returns the path as given, followed by the content of the file or the error. */
async function partOf(given: string, native: Native<"read">): Promise<string> {
  try {
    return `${given}:\n${await wholeText(native, expandHome(given))}\n`;
  } catch (error) {
    if (!isFault(error) || error.code === "cancelled") throw error;
    const call = { tool: "read_multiple_files", input: { path: given } };
    return `${given}: Error - ${visible(phraseOf(error, call, native))}`;
  }
}
