import { type CellPosition, type CellRange, isInRange, isOneCell, parseCellRange } from "./cell-reference.ts";
import { type CellXml, type Element, formulaIn, hasFormulas, type RowXml, visitSheet } from "./sheet-xml.ts";
import type { FormulaCell } from "./stale-formulas.ts";
import { attributesOf } from "./xml-tags.ts";

/** The place of a cell that is edited. */
export interface CellSlot extends CellPosition {
  readonly cell?: CellXml | undefined;
  /** The row of the cell, if the sheet has it. */
  readonly rowXml?: RowXml | undefined;
  /** The offset at which the cell, or its row, has to be inserted if it is missing. */
  readonly insertAt: number;
}

/** Holds all that an edit needs to know of a sheet. */
export interface SheetLayout {
  /** The prefix of all its elements. */
  readonly prefix: string;
  readonly data?: Element | undefined;
  readonly dimension?: Element | undefined;
  readonly slots: readonly CellSlot[];
  readonly formulas: readonly FormulaCell[];
  readonly merged: readonly CellRange[];
  /** Returns the style of a column, which empty cells have. */
  columnStyle(column: number): string | undefined;
}

/** Finds the places of cells, all formulas, and what else decides about edits. */
export function sheetLayout(xml: string, sheet: string, wanted: readonly CellPosition[]): SheetLayout {
  const formulas: FormulaCell[] = [];
  const arrays: FormulaCell[] = [];
  const merged: CellRange[] = [];
  const columns: { readonly first: number; readonly last: number; readonly style: string | undefined }[] = [];
  const named: { data?: Element; dimension?: Element; root?: Element } = {};
  const slots = createSlots(wanted);
  if (wanted.length > 0 || hasFormulas(xml))
    visitSheet(xml, {
      needs: (row) => slots.has(row) || arrays.length > 0,
      cell(cell) {
        slots.cell(cell);
        const formula = formulaIn(xml, cell);
        const { row, column } = cell;
        if (!formula) {
          if (cell.value) arrays.find((each) => isSpilled(cell, each))?.spilled.push(cell);
          return;
        }
        const found: FormulaCell = { sheet, row, column, formula, cell, spilled: [] };
        formulas.push(found);
        if (isArray(found)) arrays.push(found);
      },
      row: slots.row,
      other(element) {
        const { name, depth } = element.tag;
        if (depth === 0) named.root = element;
        if (depth === 1 && name === "sheetData") named.data = element;
        if (depth === 1 && name === "dimension") named.dimension = element;
        if (depth !== 2 || (name !== "mergeCell" && name !== "col")) return;
        const attributes = attributesOf(xml, element.tag);
        const range = parseCellRange(attributes.get("ref") ?? "");
        if (name === "mergeCell" && range) merged.push(range);
        if (name === "col")
          columns.push({
            first: Number(attributes.get("min")),
            last: Number(attributes.get("max")),
            style: attributes.get("style"),
          });
      },
    });
  return {
    prefix: named.root?.tag.prefix ?? "",
    data: named.data,
    dimension: named.dimension,
    slots: slots.ended(named.data?.inner.end ?? 0),
    formulas,
    merged,
    columnStyle: (column) => columns.find(({ first, last }) => column + 1 >= first && column + 1 <= last)?.style,
  };
}

/** Says that a formula fills several cells. */
export const isArray = ({ formula: { kind, range } }: FormulaCell): boolean =>
  (kind === "array" || kind === "dataTable") && range !== undefined && !isOneCell(range);

const isSpilled = (cell: CellPosition, { formula: { range } }: FormulaCell): boolean =>
  range !== undefined && isInRange(cell, range);

/** Matches cells that are wanted with the rows and cells of a sheet, which come in the same order. */
function createSlots(wanted: readonly CellPosition[]) {
  const left = wanted.toSorted((one, other) => one.row - other.row || one.column - other.column);
  const rows = new Set(wanted.map(({ row }) => row));
  const slots: CellSlot[] = [];
  let cells: CellXml[] = [];
  return {
    has: (row: number): boolean => rows.has(row),
    cell(cell: CellXml): void {
      if (rows.has(cell.row)) cells.push(cell);
    },
    row(rowXml: RowXml): void {
      while (left[0] && left[0].row < rowXml.row)
        slots.push({ ...(left.shift() as CellPosition), insertAt: rowXml.start });
      while (left[0]?.row === rowXml.row) {
        const position = left.shift() as CellPosition;
        const next = cells.find(({ column }) => column >= position.column);
        const cell = next?.column === position.column ? next : undefined;
        slots.push({ ...position, cell, rowXml, insertAt: next?.start ?? rowXml.inner.end });
      }
      cells = [];
    },
    ended: (end: number): readonly CellSlot[] => [
      ...slots,
      ...left.map((position) => ({ ...position, insertAt: end })),
    ],
  };
}
