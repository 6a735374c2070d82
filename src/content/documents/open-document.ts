import type { DocumentKind, OpenDocument } from "./document.ts";
import { openDelimited } from "./delimited.ts";
import { openDocx } from "./docx.ts";
import { openEpub } from "./epub.ts";
import { openHtml } from "./html.ts";
import { openNotebook } from "./notebook.ts";
import { openOdt } from "./odt.ts";
import { openPdf } from "./pdf.ts";
import { openSheets } from "./sheets.ts";
import { openSlides } from "./slides.ts";

/** Opens a document by the reader of its kind. Runs only in the worker: a hostile file may take all it has. */
export async function openDocument(bytes: Uint8Array, kind: DocumentKind): Promise<OpenDocument> {
  switch (kind) {
    case "pdf":
      return openPdf(bytes);
    case "docx":
      return openDocx(bytes);
    case "odt":
      return openOdt(bytes);
    case "pptx":
      return openSlides(bytes);
    case "epub":
      return openEpub(bytes);
    case "xlsx":
    case "xlsb":
    case "xls":
    case "ods":
      return openSheets(bytes, kind);
    case "notebook":
      return openNotebook(bytes);
    case "csv":
      return openDelimited(bytes);
    case "html":
      return openHtml(bytes);
  }
}
