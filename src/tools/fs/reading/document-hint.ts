import { DOCUMENT_NAME, NOTEBOOK_NAME } from "../../../content/documents/document-names.ts";
import type { ReadResult } from "../../../workspace/read/read-file.ts";
import type { ContentInput } from "./input.ts";

/** Selects a part of a document, as the arguments of `read` do. */
export interface DocumentOptions extends Pick<ContentInput, "as" | "pages" | "sheet" | "range" | "region"> {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly encoding?: string | undefined;
  readonly unit: "lines" | "bytes";
}

/** Says that a call may be about a document even if the file is text: by the name of the file, or by the arguments. */
export const isDocumentCall = (path: string, { as, pages, sheet, range, cursor }: DocumentOptions): boolean =>
  as !== "source" &&
  (DOCUMENT_NAME.test(path) || NOTEBOOK_NAME.test(path) || (as ?? pages ?? sheet ?? range ?? cursor) !== undefined);

/** Detects a PDF without binary parts, which is text. Only the start of the file shows it. */
export const isPdfText = ({ body }: ReadResult): boolean =>
  body.kind === "text" && body.firstLine === 1 && body.text.startsWith("%PDF-");
