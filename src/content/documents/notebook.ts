import * as z from "zod";
import { LIMITS } from "../../base/limits.ts";
import type { DocumentPart, OpenDocument, PartImage } from "./document.ts";
import { textOf } from "./html.ts";
import { damaged } from "./zip.ts";

const lines = z
  .union([z.string(), z.array(z.string())])
  .transform((text) => (typeof text === "string" ? text : text.join("")));

const output = z.looseObject({
  output_type: z.string().catch(""),
  text: lines.optional().catch(undefined),
  data: z.record(z.string(), z.unknown()).optional().catch(undefined),
  ename: z.string().optional().catch(undefined),
  evalue: z.string().optional().catch(undefined),
});

const cell = z.looseObject({
  cell_type: z.string().catch("raw"),
  source: lines.catch(""),
  outputs: z.array(output).optional().catch(undefined),
  execution_count: z.number().nullish().catch(undefined),
});

const notebook = z.looseObject({
  nbformat: z.int(),
  cells: z.array(cell),
  metadata: z
    .looseObject({ language_info: z.looseObject({ name: z.string() }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

type Cell = z.output<typeof cell>;
type Output = z.output<typeof output>;

/** Opens a notebook: its cells with their outputs. */
export async function openNotebook(bytes: Uint8Array): Promise<OpenDocument> {
  const { cells, metadata } = parseNotebook(await textOf(bytes));
  const language = metadata?.language_info?.name ?? "";
  return {
    units: ({ isSearch = false }) => ({
      unit: "cell",
      total: cells.length,
      notes: [],
      part: (number) => cellPart(cells[number - 1] as Cell, number, language, isSearch),
    }),
  };
}

function parseNotebook(text: string) {
  try {
    return notebook.parse(JSON.parse(text));
  } catch {
    // Whatever is wrong with it, it can still be read as text.
    throw damaged('it is no notebook of format 4; encoding "utf-8" shows its text');
  }
}

function cellPart(
  { cell_type: type, source, outputs = [] }: Cell,
  number: number,
  language: string,
  isSearch: boolean,
): DocumentPart {
  const body = type === "code" ? `\`\`\`${language}\n${source.replace(/\n$/, "")}\n\`\`\`` : source;
  const shown = outputs.map(outputOf);
  const images = isSearch ? [] : shown.flatMap(({ image }) => image ?? []);
  return {
    number,
    title: type,
    text: [body, ...shown.map(({ text }) => text).filter((each) => each !== "")].join("\n\n"),
    ...(images.length > 0 && { images }),
  };
}

/** Shows an output by its simplest form. Colours of a terminal are left out. */
function outputOf({ output_type: type, text, data = {}, ename = "", evalue = "" }: Output): {
  text: string;
  image?: PartImage;
} {
  if (type === "error") return { text: `Error: ${ename}: ${plain(evalue)}` };
  if (text !== undefined) return { text: `Output:\n${plain(text)}` };
  const mime = IMAGES.find((each) => typeof data[each] === "string");
  const words = lines.safeParse(data["text/markdown"] ?? data["text/plain"] ?? data["text/html"]).data ?? "";
  const shown = words === "" ? "" : `Output:\n${plain(words)}`;
  if (mime === undefined) return { text: shown };
  const bytes = Buffer.from(String(data[mime]), "base64");
  if (bytes.length > LIMITS.mediaBytes) return { text: `${shown}\n[${mime} of ${bytes.length} bytes]`.trim() };
  return { text: `${shown}\n[${mime}]`.trim(), image: { mime, data: bytes } };
}

const IMAGES = ["image/png", "image/jpeg"] as const;

const plain = (text: string): string => text.replace(ANSI, "").replace(/\n$/, "");

// oxlint-disable-next-line no-control-regex -- the sequences that it removes begin with one
const ANSI = /\u001b\[[0-9;]*[A-Za-z]/g;
