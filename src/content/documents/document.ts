/** Names the formats that are read by their own units. */
export type DocumentKind =
  | "pdf"
  | "docx"
  | "odt"
  | "pptx"
  | "epub"
  | "xlsx"
  | "xlsb"
  | "xls"
  | "ods"
  | "notebook"
  | "csv"
  | "html";

/** Counts what a document is paged by. */
export type DocumentUnit = "page" | "slide" | "chapter" | "cell" | "row" | "line";

/** Selects a part of a document. */
export interface DocumentRequest {
  /** The first unit, from 1; negative: from the end. */
  readonly from?: number | undefined;
  /** The last unit. */
  readonly to?: number | undefined;
  /** Ends the answer with the unit that reaches this many characters. */
  readonly chars: number;
  /** Shows pages as images. */
  readonly asImages?: boolean | undefined;
  /** Names a sheet, or gives its number. */
  readonly sheet?: string | undefined;
  /** Selects cells: "B2:D9". */
  readonly range?: string | undefined;
  /** Asks for the text of all sheets. */
  readonly isSearch?: boolean | undefined;
}

/** One unit of a document. */
export interface DocumentPart {
  readonly number: number;
  /** Says more about the unit than its number: the title of a chapter, the kind of a cell. */
  readonly title?: string | undefined;
  readonly text: string;
  readonly images?: readonly PartImage[] | undefined;
}

export interface PartImage {
  readonly mime: string;
  readonly data: Uint8Array;
}

/** Holds the units that were requested. */
export interface DocumentPage {
  readonly unit: DocumentUnit;
  readonly total: number;
  /** Comes before the first unit: the letters of the columns. */
  readonly head?: string | undefined;
  readonly notes: readonly string[];
  readonly parts: readonly DocumentPart[];
}

/** The units of a document that was opened. */
export interface Units extends Omit<DocumentPage, "parts"> {
  /** The first and the last unit that can be shown, where not all can. */
  readonly first?: number | undefined;
  part(number: number): DocumentPart | Promise<DocumentPart>;
}

/** A document that was opened in the worker. */
export interface OpenDocument {
  units(request: DocumentRequest): Units | Promise<Units>;
  close?(): void;
}

/** Pages text by its lines. */
export const linesOf = (text: string, notes: readonly string[] = []): OpenDocument => {
  const lines = text.replace(/\n+$/, "").split("\n");
  return {
    units: () => ({
      unit: "line",
      total: lines.length,
      notes,
      part: (number) => ({ number, text: lines[number - 1] ?? "" }),
    }),
  };
};
