import { LIMITS } from "../../base/limits.ts";
import type { CellPosition, CellRange } from "./cell-reference.ts";
import { distance, type FormulaReference, referencesIn, shiftedFormula } from "./formula.ts";
import type { CellFormula, CellXml } from "./sheet-xml.ts";

/** A cell with a formula, with all that is needed to tell what it reads. */
export interface FormulaCell extends CellPosition {
  readonly sheet: string;
  readonly formula: CellFormula;
  readonly cell: CellXml;
  /** Cells that show further results of this formula. */
  readonly spilled: CellXml[];
}

/** A range of a sheet whose values are not what they were. */
interface ChangedRange {
  readonly sheet: string;
  readonly range: CellRange;
}

/**
 * Returns the formulas whose stored results may be wrong after cells have changed: those that read a changed cell,
 * those that read such a formula, and those of which it cannot be told what they read.
 */
export function staleFormulas(
  formulas: readonly FormulaCell[],
  edited: readonly (CellPosition & { readonly sheet: string })[],
): readonly FormulaCell[] {
  if (formulas.length > LIMITS.cellFormulas) return formulas;
  const texts = sharedTexts(formulas);
  const readers = new Map(formulas.map((each) => [each, readBy(each, texts)]));
  let changed: readonly ChangedRange[] = edited.map(({ sheet, ...position }) => ({ sheet, range: rangeAt(position) }));
  const stale: FormulaCell[] = [];
  while (changed.length > 0) {
    const found = [...readers].filter(([, references]) => !references || references.some(touches(changed)));
    for (const [each] of found) readers.delete(each);
    stale.push(...found.map(([each]) => each));
    changed = found.map(([{ sheet, formula, ...position }]) => ({ sheet, range: formula.range ?? rangeAt(position) }));
  }
  return stale;
}

const rangeAt = ({ row, column }: CellPosition): CellRange => ({
  firstRow: row,
  lastRow: row,
  firstColumn: column,
  lastColumn: column,
});

const touches =
  (changed: readonly ChangedRange[]) =>
  ({ sheet, range }: FormulaReference): boolean =>
    changed.some(
      (each) =>
        each.sheet === sheet &&
        each.range.firstRow <= range.lastRow &&
        each.range.lastRow >= range.firstRow &&
        each.range.firstColumn <= range.lastColumn &&
        each.range.lastColumn >= range.firstColumn,
    );

/** Returns the ranges that a formula reads, each with its sheet; undefined where that cannot be told. */
function readBy(cell: FormulaCell, texts: ReturnType<typeof sharedTexts>): readonly FormulaReference[] | undefined {
  if (cell.formula.kind === "dataTable") return undefined;
  const text = ownFormula(cell, texts);
  return text === undefined
    ? undefined
    : referencesIn(text)?.map(({ sheet = cell.sheet, range }) => ({ sheet: sheet.toLowerCase(), range }));
}

/** Returns the cells that hold the text of a formula which others share, by sheet and group. */
export const sharedTexts = (formulas: readonly FormulaCell[]): ReadonlyMap<string, FormulaCell> =>
  new Map(
    formulas
      .filter(({ formula }) => formula.kind === "shared" && formula.text !== "")
      .map((each) => [groupOf(each), each]),
  );

export const groupOf = ({ sheet, formula }: FormulaCell): string => `${formula.shared} ${sheet}`;

/** Returns the formula of a cell, also where it shares that of another one. */
export function ownFormula(cell: FormulaCell, texts: ReadonlyMap<string, FormulaCell>): string | undefined {
  if (cell.formula.kind !== "shared" || cell.formula.text !== "") return cell.formula.text;
  const first = texts.get(groupOf(cell));
  return first && shiftedFormula(first.formula.text, ...distance(first, cell));
}
