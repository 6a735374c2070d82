import { columnIndex, columnName } from "../documents/table-text.ts";

/** A rectangle of cells. Rows count from 1, columns from 0; both ends belong to it. */
export interface CellRange {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

export const MOST_ROWS = 1_048_576;
export const MOST_COLUMNS = 16_384;

export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** Parses "B2", also "$B$2" and "b2". Returns undefined for anything else, and for a cell that no sheet has. */
export function parseCell(text: string): CellPosition | undefined {
  const [, letters = "", digits = ""] = /^\$?([a-z]{1,3})\$?([1-9]\d{0,6})$/i.exec(text) ?? [];
  const [row, column] = [Number(digits), columnIndex(letters)];
  return digits !== "" && row <= MOST_ROWS && column < MOST_COLUMNS ? { row, column } : undefined;
}

export const cellName = ({ row, column }: CellPosition): string => `${columnName(column)}${row}`;

/** Parses "B2:D9", or "B2" as a range of one cell. */
export function parseCellRange(text: string): CellRange | undefined {
  const [from = "", to = from] = text.split(":");
  const [one, other] = [parseCell(from), parseCell(to)];
  if (!one || !other) return undefined;
  return {
    firstRow: Math.min(one.row, other.row),
    lastRow: Math.max(one.row, other.row),
    firstColumn: Math.min(one.column, other.column),
    lastColumn: Math.max(one.column, other.column),
  };
}

export const rangeName = ({ firstRow, lastRow, firstColumn, lastColumn }: CellRange): string => {
  const first = cellName({ row: firstRow, column: firstColumn });
  return firstRow === lastRow && firstColumn === lastColumn
    ? first
    : `${first}:${cellName({ row: lastRow, column: lastColumn })}`;
};

export const isInRange = ({ row, column }: CellPosition, range: CellRange): boolean =>
  row >= range.firstRow && row <= range.lastRow && column >= range.firstColumn && column <= range.lastColumn;

export const isOneCell = ({ firstRow, lastRow, firstColumn, lastColumn }: CellRange): boolean =>
  firstRow === lastRow && firstColumn === lastColumn;
