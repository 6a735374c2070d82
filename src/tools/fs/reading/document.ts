import { Fault, hasCode } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { isHashed, type Version, versionOf } from "../../../base/version.ts";
import type { DocumentKind, DocumentPage } from "../../../content/documents/document.ts";
import { bytesOf } from "../../../content/byte-source.ts";
import { binaryDocumentKind, textDocumentKind } from "../../../content/documents/document-kind.ts";
import { DOCUMENT_NAME } from "../../../content/documents/document-names.ts";
import type { OpenFile } from "../../../storage/storage.ts";
import type { Budget } from "../../../workspace/read/page.ts";
import type { ReadResult } from "../../../workspace/read/read-file.ts";
import { sourceOfBytes, sourceOfFile } from "../../../workspace/read/scan.ts";
import type { View } from "../../../workspace/view.ts";
import { type DocumentCursor, parseDocumentCursor } from "./document-cursor.ts";
import { type DocumentOptions, isPdfText } from "./document-hint.ts";

/** The units of a document that were read, with everything that was learned about the file on the way. */
export interface DocumentReading {
  readonly kind: DocumentKind;
  readonly page: DocumentPage;
  /** The unit and the character that the page begins with. */
  readonly start: DocumentCursor | undefined;
  readonly file: OpenFile;
  readonly version: Version;
  /** Holds all bytes of a small file. */
  readonly bytes: Uint8Array | undefined;
}

/** Reads a file as a document where it is one, else by `readPlain`. The bytes decide, and arguments for text. */
export async function readAsDocument(
  opened: OpenFile,
  path: string,
  options: DocumentOptions,
  budget: Budget,
  view: View,
  readPlain: () => Promise<ReadResult>,
): Promise<ReadResult | DocumentReading> {
  if (options.as === "source" || options.encoding !== undefined || options.unit === "bytes") return readPlain();
  const textual = textualKind(path, options);
  if (textual) return readDocument(opened, textual, options, budget, view);
  const real = opened.original ?? opened;
  const binaryKind = () => binaryDocumentKind(sourceOfFile(real));
  const early = isHinted(path, options) ? await binaryKind() : undefined;
  if (early !== undefined && early !== "ole")
    return readDocument(real, early, options, budget, view).catch(orSource(early, readPlain));
  try {
    const plain = await readPlain();
    if (!isPdfText(plain)) return plain;
    return await readDocument(real, "pdf", options, budget, view).catch(orSource("pdf", async () => plain));
  } catch (error) {
    if (!hasCode(error, "not_text")) throw error;
    const kind = await binaryKind();
    if (kind === undefined) throw withImageHint(error);
    if (kind === "ole") throw oleFault();
    return readDocument(real, kind, options, budget, view);
  }
}

/** Shows the source of a PDF that is plain text, and cannot be read as a PDF. */
const orSource =
  (kind: DocumentKind, readPlain: () => Promise<ReadResult>) =>
  (error: unknown): Promise<ReadResult> => {
    if (kind !== "pdf" || !hasCode(error, "not_text")) throw error;
    return readPlain().catch((other: unknown) => {
      throw hasCode(other, "not_text") ? error : other;
    });
  };

/** Shows a notebook by its cells, and other text as a table or as Markdown only on request. */
function textualKind(path: string, { as }: DocumentOptions): DocumentKind | undefined {
  if (as === "table") return textDocumentKind(path) === undefined && isWorkbookName(path) ? undefined : "csv";
  if (as === "markdown") return "html";
  const kind = textDocumentKind(path);
  return kind === "notebook" ? kind : undefined;
}

const isWorkbookName = (path: string): boolean => /\.(?:xls[xbm]?|ods)$/i.test(path);

/** Says that it is worth looking at the bytes before they are taken for text. */
const isHinted = (path: string, { pages, sheet, range, as, cursor }: DocumentOptions): boolean =>
  [pages, sheet, range, as].some((each) => each !== undefined) ||
  DOCUMENT_NAME.test(path) ||
  (cursor !== undefined && parseDocumentCursor(cursor) !== undefined);

async function readDocument(
  file: OpenFile,
  kind: DocumentKind,
  options: DocumentOptions,
  budget: Budget,
  view: View,
): Promise<DocumentReading> {
  const { facts } = file;
  const { sheet, range, as } = options;
  if ((sheet !== undefined || range !== undefined) && !WORKBOOKS.has(kind))
    throw new Fault("invalid_input", 'Cannot use "sheet" or "range": it has no sheets', { argument: "sheet" });
  if (options.region !== undefined)
    throw new Fault("invalid_input", 'Cannot use "region": it selects a part of an image file', { argument: "region" });
  if (facts.size > LIMITS.documentBytes && kind !== "csv")
    throw new Fault(
      "too_large",
      `Cannot read the document: it has ${facts.size} bytes, the limit is ${LIMITS.documentBytes}`,
      {
        hint: 'Ask the user for a smaller copy, or read its bytes with encoding "base64"',
      },
    );
  const source = sourceOfFile(file);
  const bytes = isHashed(facts) ? await bytesOf(source) : undefined;
  const version = versionOf(facts, bytes);
  const start = options.cursor === undefined ? undefined : parseDocumentCursor(options.cursor, version);
  const { readInWorker } = await import("../../../content/documents/worker/document-worker.ts");
  const wholeSize = kind === "csv" ? Math.min(facts.size, LIMITS.tableSampleBytes) : facts.size;
  const page = await readInWorker(
    {
      kind,
      key: version,
      bytes: () => bytesOf(bytes ? sourceOfBytes(bytes) : source, wholeSize),
      checkpoint: view.checkpoint,
    },
    { ...unitsOf(options, start), chars: budget.bytes + (start?.at ?? 0), asImages: as === "image", sheet, range },
  );
  for (const { text } of page.parts) view.noteDocumentText(facts.path, text);
  return { kind, page, start, file, version, bytes };
}

const WORKBOOKS: ReadonlySet<DocumentKind> = new Set(["xlsx", "xlsb", "xls", "ods"]);

/** Returns the first and the last unit that the arguments select. A cursor names the first one. */
function unitsOf({ pages, offset, limit }: DocumentOptions, start: DocumentCursor | undefined) {
  const named = pages === undefined ? undefined : /^(\d+)(-(\d*))?$/.exec(pages);
  const from = start?.number ?? (named ? Number(named[1]) : (offset ?? undefined) || undefined);
  const last = named ? (named[2] === undefined ? Number(named[1]) : Number(named[3] || Infinity)) : Infinity;
  const most = limit === undefined || from === undefined || from < 0 ? (limit ?? Infinity) : from + limit - 1;
  return { from, to: Math.min(last, most) };
}

const oleFault = (): Fault =>
  new Fault("not_text", "Cannot read the document: it is encrypted, or an Office file of before 2007", {
    hint: "Ask the user to save it without a password as DOCX, XLSX, PPTX or PDF",
  });

/** Adds what to do with photos that no model accepts. */
function withImageHint(error: Fault): Fault {
  const { mime } = error.details;
  if (typeof mime !== "string" || !PHOTO.test(mime)) return error;
  return new Fault(error.code, error.message, { ...error.details, hint: "Ask the user to convert it to JPEG or PNG" });
}

const PHOTO = /^image\/(?:hei[cf]|x-(?:canon|nikon|sony|adobe|fujifilm|olympus|panasonic))/;
