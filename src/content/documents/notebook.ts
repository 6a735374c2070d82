import { isRecord } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import type { DocumentPart, OpenDocument, PartImage } from "./document.ts";
import { textOf } from "./html.ts";
import { damaged } from "./zip.ts";

/** An object of a notebook. Fields of an unexpected type count as missing. */
type Fields = Readonly<Record<string, unknown>>;

/** Opens a notebook: its cells with their outputs. */
export async function openNotebook(bytes: Uint8Array): Promise<OpenDocument> {
  const { cells, language } = parseNotebook(await textOf(bytes));
  return {
    units: ({ isSearch = false }) => ({
      unit: "cell",
      total: cells.length,
      notes: [],
      part: (number) => cellPart(cells[number - 1] as Fields, number, language, isSearch),
    }),
  };
}

function parseNotebook(text: string): { readonly cells: readonly Fields[]; readonly language: string } {
  const { nbformat, cells, metadata } = fieldsOf(parsed(text));
  if (!Number.isInteger(nbformat) || !Array.isArray(cells) || !cells.every(isRecord)) throw noNotebook();
  return { cells, language: linesOf(fieldsOf(fieldsOf(metadata)["language_info"])["name"]) ?? "" };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw noNotebook();
  }
}

/** Says that it is no notebook; it can still be read as text. */
const noNotebook = () => damaged('it is no notebook of format 4; encoding "utf-8" shows its text');

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});

/** Returns a text, which may be a list of lines; undefined for anything else. */
function linesOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.every((line) => typeof line === "string") ? value.join("") : undefined;
  return typeof value === "string" ? value : undefined;
}

function cellPart(cell: Fields, number: number, language: string, isSearch: boolean): DocumentPart {
  const type = typeof cell["cell_type"] === "string" ? cell["cell_type"] : "raw";
  const source = linesOf(cell["source"]) ?? "";
  const body = type === "code" ? `\`\`\`${language}\n${source.replace(/\n$/, "")}\n\`\`\`` : source;
  const outputs: unknown = cell["outputs"];
  const shown = Array.isArray(outputs) && outputs.every(isRecord) ? outputs.map(outputOf) : [];
  const images = isSearch ? [] : shown.flatMap(({ image }) => image ?? []);
  return {
    number,
    title: type,
    text: [body, ...shown.map(({ text }) => text).filter((each) => each !== "")].join("\n\n"),
    ...(images.length > 0 && { images }),
  };
}

/** Shows an output by its simplest form. Colours of a terminal are left out. */
function outputOf(output: Fields): { text: string; image?: PartImage } {
  const [ename = "", evalue = "", text] = [output["ename"], output["evalue"], output["text"]].map(linesOf);
  const data = fieldsOf(output["data"]);
  if (output["output_type"] === "error") return { text: `Error: ${ename}: ${plain(evalue)}` };
  if (text !== undefined) return { text: `Output:\n${plain(text)}` };
  const mime = IMAGES.find((each) => linesOf(data[each]) !== undefined);
  const words = linesOf(data["text/markdown"] ?? data["text/plain"] ?? data["text/html"]) ?? "";
  const shown = words === "" ? "" : `Output:\n${plain(words)}`;
  if (mime === undefined) return { text: shown };
  const bytes = Buffer.from(linesOf(data[mime]) ?? "", "base64");
  if (bytes.length > LIMITS.imageFileBytes) return { text: `${shown}\n[${mime} of ${bytes.length} bytes]`.trim() };
  return { text: `${shown}\n[${mime}]`.trim(), image: { mime, data: bytes } };
}

const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

const plain = (text: string): string => text.replace(ANSI, "").replace(/\n$/, "");

// oxlint-disable-next-line no-control-regex -- the sequences that it removes begin with one
const ANSI = /\u001b\[[0-9;]*[A-Za-z]/g;
