import { nameIn } from "../../base/paths.ts";
import type { ByteSource } from "../byte-source.ts";
import type { DocumentKind } from "./document.ts";
import { damageIn } from "../archives/bounds.ts";
import { findCentralDirectory } from "../archives/zip-end.ts";
import { zipRecords } from "../archives/zip-records.ts";

/**
 * Detects a document by its bytes, whatever its name is. Returns "ole" for the container of old and of encrypted office
 * files that is no workbook, and undefined for anything else.
 */
export async function binaryDocumentKind(source: ByteSource): Promise<DocumentKind | "ole" | undefined> {
  const head = await partOf(source, 0, HEAD_BYTES);
  if (head.includes("%PDF-")) return "pdf";
  if (head.subarray(0, 4).equals(ZIP)) return zippedKind(source);
  return head.subarray(0, OLE.length).equals(OLE) ? oleKind(source) : undefined;
}

const HEAD_BYTES = 1024;
const ZIP = Buffer.from([0x50, 0x4b, 3, 4]);
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** Recognises a zipped document by the parts that only this format has. */
async function zippedKind(source: ByteSource): Promise<DocumentKind | undefined> {
  const names = await partNames(source);
  const office = PARTS.find(([part]) => names.has(part))?.[1];
  if (office !== undefined || !names.has("mimetype")) return office;
  // The type is the content of the first part, which is not packed: it follows the name in the local header.
  const start = (await partOf(source, 0, HEAD_BYTES)).toString("latin1");
  return TYPES.find(([type]) => start.includes(`mimetype${type}`))?.[1];
}

/** Lists the parts of a zip. Returns none of one that is damaged, or larger than any document. */
async function partNames(source: ByteSource): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  try {
    const directory = await findCentralDirectory(source);
    if (directory.end - directory.start > MOST_DIRECTORY_BYTES) return names;
    for await (const { name } of zipRecords(source, directory)) names.add(name.toString("utf8"));
    return names;
  } catch (error) {
    if (damageIn(error) !== undefined) return new Set();
    throw error;
  }
}

const MOST_DIRECTORY_BYTES = 4 * 1024 ** 2;

const PARTS: readonly (readonly [string, DocumentKind])[] = [
  ["word/document.xml", "docx"],
  ["xl/workbook.xml", "xlsx"],
  ["xl/workbook.bin", "xlsb"],
  ["ppt/presentation.xml", "pptx"],
];

const TYPES: readonly (readonly [string, DocumentKind])[] = [
  ["application/vnd.oasis.opendocument.text", "odt"],
  ["application/vnd.oasis.opendocument.spreadsheet", "ods"],
  ["application/epub+zip", "epub"],
];

/** Looks for the stream of a workbook in the directory of the container, which names it in UTF-16. */
async function oleKind(source: ByteSource): Promise<DocumentKind | "ole"> {
  const head = await partOf(source, 0, 512);
  if (head.length < 512) return "ole";
  const sectorBytes = 2 ** Math.min(16, head.readUInt16LE(30));
  const directory = await partOf(source, (head.readUInt32LE(48) + 1) * sectorBytes, sectorBytes);
  return WORKBOOKS.some((name) => directory.includes(name)) ? "xls" : "ole";
}

const WORKBOOKS = ["Workbook", "Book"].map((name) => Buffer.from(`${name}\0`, "utf16le"));

async function partOf(source: ByteSource, position: number, length: number): Promise<Buffer> {
  if (position >= source.size || length <= 0) return Buffer.alloc(0);
  const into = Buffer.alloc(Math.min(length, source.size - position));
  return into.subarray(0, await source.read(into, position));
}

/** Returns the kind of a document that is text as well. Its name says which; the reader checks its content. */
export function textDocumentKind(path: string): DocumentKind | undefined {
  return BY_EXTENSION.get(/\.([a-z]+)$/i.exec(nameIn(path))?.[1]?.toLowerCase() ?? "");
}

const BY_EXTENSION: ReadonlyMap<string, DocumentKind> = new Map([
  ["ipynb", "notebook"],
  ["csv", "csv"],
  ["tsv", "csv"],
  ["tab", "csv"],
  ["html", "html"],
  ["htm", "html"],
  ["xhtml", "html"],
]);
