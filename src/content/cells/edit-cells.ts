import { Fault } from "../../base/errors.ts";
import type { DocumentKind } from "../documents/document.ts";
import { type CellEdit, type EditedCells, refusedFault } from "./cell-edit.ts";
import { editNotebook } from "./notebook-edit.ts";
import { editWorkbook } from "./workbook-edit.ts";

/** Edits cells of a file. Runs only in the worker: a hostile file may take all it has. */
export async function editCells(
  bytes: Uint8Array,
  kind: DocumentKind | "ole" | undefined,
  edits: readonly CellEdit[],
): Promise<EditedCells> {
  if (kind === "xlsx") return editWorkbook(bytes, edits);
  if (kind === "notebook") return editNotebook(bytes, edits);
  if (kind === "ole")
    throw refusedFault(
      "it is encrypted, or an Office file of before 2007",
      "Ask the user to save it without a password as .xlsx",
    );
  const [reason, hint] = REASONS[kind ?? ""] ?? NO_CELLS;
  throw new Fault("invalid_input", `Cannot edit cells: ${reason}`, { argument: "edits", hint });
}

const AS_XLSX = "Ask the user for a copy that is saved as .xlsx";
const NO_CELLS = ["the file has none", 'Give "oldText" and "newText" to edit its text'] as const;
const REASONS: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  ods: ["those of an ODS file cannot be edited", AS_XLSX],
  xls: ["those of an XLS file cannot be edited", AS_XLSX],
  xlsb: ["those of an XLSB file cannot be edited", AS_XLSX],
  csv: ["the file is text", 'Give "oldText" and "newText" to edit its lines'],
  pdf: ["a PDF has none", "Ask the user for the file that it was made from"],
};
