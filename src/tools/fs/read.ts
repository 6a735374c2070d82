import * as z from "zod";
import { Fault, hasCode } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isoOf } from "../../base/time.ts";
import { plural } from "../../text/plural.ts";
import { numberedLines } from "../../text/line-feeds.ts";
import { quoted, visible } from "../../text/quote.ts";
import { type ReadText, withOriginal } from "../../text/encoding/utf8.ts";
import type { Budget } from "../../workspace/read/page.ts";
import { orSuggestion } from "../../workspace/did-you-mean.ts";
import { readFile, type ReadResult, type ShownMedia } from "../../workspace/read/read-file.ts";
import type { View } from "../../workspace/view.ts";
import { eachPath, type FailedPath, oneOrMany, pathOrPaths, pathsOf } from "../paths.ts";
import { noted } from "../notes.ts";
import { answer, type Block, bracketed, charsIn, defineTool, READ_ONLY, type SessionFacts } from "../tool.ts";
import { UNLISTED } from "../unlisted.ts";
import { isDocumentCall, isPdfText } from "./reading/document-hint.ts";
import type { DocumentReading } from "./reading/document.ts";
import { contentInput, documentOutput } from "./reading/input.ts";
import { createMediaPresenter, imageLimits } from "./reading/media-presenter.ts";

const input = z.strictObject({
  ...pathOrPaths,
  offset: z
    .int()
    .min(-LIMITS.offsetMost)
    .max(LIMITS.offsetMost)
    .optional()
    .describe("First line, from 1; negative: from the end"),
  limit: z.int().min(1).max(LIMITS.offsetMost).optional().describe("Lines at most"),
  unit: z.enum(["lines", "bytes"]).default("lines").meta(UNLISTED.program),
  cursor: z.string().max(LIMITS.argumentChars).optional().describe("Go on where an answer was cut"),
  max_bytes: z.int().min(LIMITS.pageBytesLeast).max(LIMITS.pageBytesMost).optional().meta(UNLISTED.program),
  encoding: z.string().max(LIMITS.quotedNameChars).optional().describe('Detected if absent; "base64" for bytes'),
  line_numbers: z.boolean().default(false),
  checksum: z.boolean().default(false).meta(UNLISTED.program),
  ...contentInput,
});

const file = z.object({
  path: z.string(),
  content: z.string().optional(),
  encoding: z.string().optional(),
  mime: z.string().optional(),
  version: z.string(),
  size: z.int(),
  modified: z.string(),
  total_lines: z.int().optional(),
  truncated: z.boolean(),
  truncated_by: z.enum(["lines", "bytes"]).optional(),
  next_offset: z.int().optional(),
  cursor: z.string().optional(),
  sha256: z.string().optional(),
  document: documentOutput.optional(),
  ...noted,
});

type Input = z.output<typeof input>;
type FileAnswer = z.output<typeof file>;

export const read = defineTool({
  name: "read",
  title: "Read files",
  description: "Read text, images or audio, page by page. A cut page says how to go on.",
  annotations: READ_ONLY,
  catalogue: { group: "fs", order: 10, step: "base", profiles: ["readonly"], subAgent: true },
  input,
  output: oneOrMany(file),
  reads: pathsOf,
  encodes: ({ encoding, unit, as }) => encoding !== undefined || unit === "bytes" || as === "image",

  async plan(given, view, { pageBytes, pageLines = Infinity, images }) {
    const args = { ...given, unit: unitOf(given), images };
    const paths = pathsOf(args);
    const shares = budgetOf(args, { pageBytes, pageLines }, paths.length);
    if (args.path !== undefined) {
      const { blocks, data, note } = await readOne(args.path, args, shares, view);
      note();
      return answer(blocks, data);
    }
    let room: number = LIMITS.answerChars;
    const files = await eachPath(paths, async (path) => {
      const answered = await readOne(path, args, shares, view);
      room -= charsIn(answered.blocks);
      if (room < 0) throw new Fault("too_large", `Cannot add ${JSON.stringify(path)}: the answer is full`, { path });
      answered.note();
      return answered;
    });
    return answer(
      files.flatMap((each) => ("error" in each ? failureBlocks(each) : withTitle(each))),
      { files: files.map((each) => ("error" in each ? each : each.data)) },
    );
  },
});

/**
 * Computes the budget of each file. An explicit limit replaces the default page size, but never lifts the cap on one
 * line. Several files share the budget.
 */
function budgetOf(args: Input, { pageBytes, pageLines }: PageSize, files: number): Budget {
  const { limit, max_bytes: most } = args;
  const share = (bytes: number): number => Math.max(LIMITS.pageBytesLeast, Math.floor(bytes / files));
  const lineBytes = share(most ?? pageBytes);
  if (args.unit === "bytes") {
    const bytes = limit ?? most ?? pageBytes;
    return { lines: Infinity, bytes: Math.min(bytes, share(LIMITS.pageBytesMost)), lineBytes: Infinity };
  }
  const bytes = most ?? (limit === undefined ? pageBytes : Math.max(pageBytes, LIMITS.pageBytesByLimit));
  return { lines: limit ?? pageLines, bytes: share(bytes), lineBytes };
}

interface PageSize {
  readonly pageBytes: number;
  readonly pageLines: number;
}

/** Base64 is always paged by bytes. */
const unitOf = ({ unit, encoding }: Input): Input["unit"] => (encoding === "base64" ? "bytes" : unit);

interface Answered {
  readonly blocks: readonly Block[];
  readonly data: FileAnswer;
  /** Records that this session has seen the file. */
  note(): void;
}

interface PlainReading extends ReadResult {
  /** Is true for the source of a PDF. */
  readonly isPdf?: boolean;
}

async function readOne(
  path: string,
  args: Input & Pick<SessionFacts, "images">,
  budget: Budget,
  view: View,
): Promise<Answered> {
  const { offset, unit, cursor, encoding, checksum, line_numbers: withNumbers, images } = args;
  const presenter = args.as === "source" ? undefined : createMediaPresenter(args, images, view.checkpoint);
  const options = { offset, unit, cursor, encoding, checksum, budget, numbered: withNumbers, presenter };
  const reading = await orSuggestion(view, path, () =>
    view.withFile(path, async (opened): Promise<PlainReading | DocumentReading> => {
      const plain = isDocumentCall(path, args) ? undefined : await readFile(opened, options, view).catch(unlessNotText);
      if (plain && !isPdfText(plain)) return plain;
      const { readAsDocument } = await import("./reading/document.ts");
      const other = await readAsDocument(opened, path, args, budget, view, () => readFile(opened, options, view));
      return "page" in other ? other : { ...other, isPdf: isPdfText(other) };
    }),
  );
  if ("page" in reading) {
    const { documentAnswer } = await import("./reading/document-answer.ts");
    const { withFittingImages } = await import("./reading/document-images.ts");
    const page = await withFittingImages(reading.page, { limits: imageLimits(images), checkpoint: view.checkpoint });
    return documentAnswer(path, { ...reading, page }, budget.bytes, view);
  }
  const { blocks, content, encoding: decoded, mime, words } = contentOf(reading, withNumbers);
  const cut = cutOf(reading, unit);
  const { facts, size, version, totalLines, sha256 } = reading;
  const notes = [
    ...words,
    ...(content === "" ? [nothingNote(reading, args)] : []),
    ...(mime === PDF ? ["PDF document: this is its source, not the text of its pages"] : []),
    ...(decoded === undefined || isPlainEncoding(decoded) ? [] : [`Encoding: ${decoded}`]),
    ...(cut ? [cut.note] : []),
  ];
  const data = {
    path,
    content,
    encoding: decoded,
    mime,
    version,
    size,
    modified: isoOf(facts.modifiedMs),
    total_lines: totalLines,
    truncated: cut !== undefined,
    truncated_by: reading.next?.by,
    cursor: cut?.cursor,
    next_offset: cut?.offset,
    sha256,
    ...(notes.length > 0 && { notes }),
  };
  const { identity, bytes } = reading;
  const seen = { version, size, modifiedMs: facts.modifiedMs, identity, sha256 };
  const lines = [...(sha256 === undefined ? [] : [`sha256 ${sha256}`]), ...notes.map(bracketed)];
  const besides = lines.map((line) => ({ kind: "text", text: line }) as const);
  return {
    data,
    blocks: content === "" ? besides : [...blocks, ...besides],
    note: () => view.seenFiles.read(facts.path, seen, bytes),
  };
}

/** Lets a file that is not text be looked at as a document. */
function unlessNotText(error: unknown): undefined {
  if (!hasCode(error, "not_text")) throw error;
}

/** Explains an empty page. */
const nothingNote = ({ facts: { size }, totalLines }: ReadResult, { offset = 1 }: Input): string =>
  size === 0
    ? "Empty file"
    : `Nothing there: offset ${offset} is past the end; the file has ${plural(totalLines ?? size, totalLines === undefined ? "byte" : "line")}`;

/** Returns true for encodings that need no note, because a model expects them. */
export const isPlainEncoding = (label: string): boolean => label === "utf-8" || label === "base64";

interface Content extends Pick<FileAnswer, "content" | "encoding" | "mime"> {
  readonly blocks: readonly Block[];
  /** Describe media in text, because some hosts pass a model text only. */
  readonly words: readonly string[];
}

function contentOf({ body, size, isPdf }: PlainReading, withNumbers: boolean): Content {
  if (body.kind === "shown") {
    const { blocks, notes: words } = body.shown;
    return { blocks: blocks.map(inBlock), mime: blocks[0]?.mime ?? body.media.mime, words };
  }
  if (body.kind === "media") {
    const { kind, mime } = body.media;
    const block = { kind, mime, data: body.bytes.toString("base64") } as Block;
    return { blocks: [block], mime, words: [`${mime}, ${plural(size, "byte")}`] };
  }
  const {
    text: content,
    original,
    encoding,
  } = body.kind === "bytes" ? inBase64(body.bytes) : numberedIf(withNumbers, body);
  const block = withOriginal({ kind: "text" as const, text: content }, original);
  return { blocks: [block], content, encoding, mime: isPdf ? PDF : undefined, words: [] };
}

const inBlock = ({ kind, mime, bytes }: ShownMedia["blocks"][number]): Block => ({
  kind,
  mime,
  data: bytes.toString("base64"),
});

const PDF = "application/pdf";

type Shown = ReadText & { readonly encoding: string };

const inBase64 = (bytes: Buffer): Shown => ({ text: bytes.toString("base64"), encoding: "base64" });

const numberedIf = (withNumbers: boolean, body: Extract<ReadResult["body"], { kind: "text" }>): Shown =>
  withNumbers ? { text: numberedLines(body.text, body.firstLine ?? 1), encoding: body.encoding } : body;

interface Cut {
  readonly note: string;
  readonly cursor: string;
  readonly offset?: number;
}

/** Returns the note and the cursor that continue after a cut, or undefined if nothing was cut. */
function cutOf({ next, facts, totalLines }: ReadResult, unit: Input["unit"]): Cut | undefined {
  if (!next) return undefined;
  const { cursor, line, byte, inLine } = next;
  const left = `${facts.size - byte} more bytes`;
  if (unit === "bytes") return { note: `Cut: ${left}; offset=${byte}`, cursor, offset: byte };
  if (inLine) return { note: `Cut inside a line: ${left}; cursor=${JSON.stringify(cursor)}`, cursor };
  if (line === undefined) return { note: `Cut: ${left}; cursor=${JSON.stringify(cursor)}`, cursor };
  const more = totalLines === undefined ? left : `${totalLines - line + 1} more line${totalLines === line ? "" : "s"}`;
  return { note: `Cut: ${more}; offset=${line}`, cursor, offset: line };
}

const withTitle = ({ data, blocks }: Answered): readonly Block[] => [
  { kind: "text", text: `${quoted(data.path)}:` },
  ...blocks,
];

const failureBlocks = ({ path, error }: FailedPath): readonly Block[] => [
  { kind: "text", text: `${quoted(path)}: ${visible(error.message)}\n${error.hint}` },
];
