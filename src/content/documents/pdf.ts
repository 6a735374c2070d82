import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { DocumentPart, OpenDocument } from "./document.ts";
import { fromLibrary } from "./library.ts";
import { pngOf } from "./png.ts";
import { damaged, ENCRYPTED } from "./zip.ts";

type Pdfium = Awaited<ReturnType<typeof loadPdfium>>;
type PdfDocument = Awaited<ReturnType<Pdfium["loadDocument"]>>;

let pdfium: Promise<Pdfium> | undefined;

async function loadPdfium() {
  const { PDFiumLibrary } = await fromLibrary("@hyzyla/pdfium", () => import("@hyzyla/pdfium"));
  return PDFiumLibrary.init();
}

/** Opens a PDF. A page that has no text is shown as an image. */
export async function openPdf(bytes: Uint8Array): Promise<OpenDocument> {
  const library = await (pdfium ??= loadPdfium());
  const document = await library.loadDocument(bytes).catch((error: unknown) => {
    throw isAbort(error) ? error : faultOf(error);
  });
  const total = document.getPageCount();
  if (total === 0) throw damaged("it has no pages");
  const hasFields = hasFormFields(document);
  return {
    units: ({ asImages = false, isSearch = false }) => ({
      unit: "page",
      total,
      notes: hasFields && !asImages ? [FIELDS_NOTE] : [],
      part: (number) =>
        partOf(document, number, { form: asImages ? "image" : isSearch ? "text" : "either", hasFields }),
    }),
    close: () => document.destroy(),
  };
}

const FIELDS_NOTE = 'It has form fields, whose values are not in the text; as: "image" shows them';

/** Asks the library itself, since its class for documents does not say it. */
function hasFormFields(document: PdfDocument): boolean {
  const { module, documentIdx } = document as unknown as {
    readonly module?: { readonly _FPDF_GetFormType?: (document: unknown) => number };
    readonly documentIdx: unknown;
  };
  return (module?._FPDF_GetFormType?.(documentIdx) ?? 0) > 0;
}

/** Detects that the library ended itself: it reads nothing any more, and its words are not about this document. */
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "RuntimeError";

/** Translates the messages of the library, which has no codes. */
function faultOf(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error);
  if (/password|security/i.test(message))
    return new Fault("denied", "Cannot read the document: it is encrypted", { hint: ENCRYPTED });
  return damaged("it is no valid PDF");
}

interface PageOptions {
  readonly form: "text" | "image" | "either";
  readonly hasFields: boolean;
}

async function partOf(document: PdfDocument, number: number, { form, hasFields }: PageOptions): Promise<DocumentPart> {
  const page = document.getPage(number - 1);
  const text = form === "image" ? "" : textOf(page.getText());
  if (form === "text" || text.trim() !== "") return { number, text };
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = Math.min(MOST_SCALE, LIMITS.pageImagePx / Math.max(1, originalWidth, originalHeight));
  const pixels = await page.render({
    scale: 1,
    width: Math.max(1, Math.round(originalWidth * scale)),
    height: Math.max(1, Math.round(originalHeight * scale)),
    render: "bitmap",
    renderFormFields: hasFields,
  });
  return { number, text: form === "image" ? "" : NO_TEXT, images: [{ mime: "image/png", data: pngOf(pixels) }] };
}

const MOST_SCALE = 2;
const NO_TEXT = "(no text on this page: shown as an image)";

/** Makes plain lines: the library marks a hyphen at the end of a line by U+FFFE or U+0002. */
const textOf = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .replaceAll("\u0002", "-")
    .replaceAll("\uFFFE", "-")
    .replaceAll("\0", "");
