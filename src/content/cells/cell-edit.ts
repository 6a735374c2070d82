import { Fault } from "../../base/errors.ts";
import { applySplices, bySpliceOrder, type TextSplice } from "../../text/edit/splice.ts";

/** Gives one cell a new text. */
export interface CellEdit {
  /** Names a sheet, or gives its number; the first one by default. */
  readonly sheet?: string | undefined;
  /** Is "B2" in a workbook, and a number from 1 on in a notebook. */
  readonly cell: string;
  readonly newText: string;
}

/** Says what an edit did, as people read it: formulas begin with "=". */
export interface EditedCell {
  /** Names the cell in messages: "Stock!B2", "cell 3". */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** A file with its new bytes, and what changed in it. */
export interface EditedCells {
  readonly bytes: Uint8Array;
  readonly cells: readonly EditedCell[];
  readonly notes: readonly string[];
}

/** Applies splices that do not overlap. What is inserted at one place keeps its order, before what is replaced there. */
export const splicedText = (text: string, splices: readonly TextSplice[]): string =>
  applySplices(text, splices.toSorted(bySpliceOrder));

/** Says that a cell cannot be edited, and why. */
export const cellFault = (name: string, reason: string, hint?: string): Fault =>
  new Fault("invalid_input", `Cannot edit ${name}: ${reason}`, {
    argument: "edits",
    ...(hint !== undefined && { hint }),
  });

/** Says that the whole file refuses edits, whichever cell is named. */
export const refusedFault = (reason: string, hint: string): Fault =>
  new Fault("denied", `Cannot edit cells: ${reason}`, { hint });
