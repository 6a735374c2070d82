import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { DocumentKind, DocumentRequest, OpenDocument, Units } from "./document.ts";
import { fromLibrary } from "./library.ts";
import { sheetNamed, sheetNames, shownSheetName } from "./sheet-names.ts";
import { columnIndex, columnName, rowText, tableHead } from "./table-text.ts";
import { checkUnpackedSize, damaged, ENCRYPTED } from "./zip.ts";

type Workbook = Awaited<ReturnType<typeof import("hucre").readXlsx>>;
type Sheet = Workbook["sheets"][number];
type CellValue = Sheet["rows"][number][number];

/** Opens a workbook. This is the only file that knows the library. */
export async function openSheets(bytes: Uint8Array, kind: DocumentKind): Promise<OpenDocument> {
  if (kind !== "xls") await checkUnpackedSize(bytes);
  const { readXlsx, readXlsb, readXls, readOds } = await fromLibrary("hucre", () => import("hucre"));
  const read = kind === "ods" ? readOds : kind === "xls" ? readXls : kind === "xlsb" ? readXlsb : readXlsx;
  const { sheets } = await read(bytes).catch((error: unknown) => {
    throw faultOf(error, kind);
  });
  if (sheets.length === 0) throw damaged("it has no sheets");
  return { units: (request) => (request.isSearch === true ? allRows(sheets) : rowsOf(sheets, request)) };
}

function faultOf(error: unknown, kind: DocumentKind): Fault {
  const name = error instanceof Error ? error.name : "";
  if (name === "EncryptedFileError" || name === "DecryptionError")
    return new Fault("denied", "Cannot read the document: it is encrypted", { hint: ENCRYPTED });
  return damaged(`it is no valid ${kind.toUpperCase()} (${String(error).slice(0, 100)})`);
}

function rowsOf(sheets: readonly Sheet[], { sheet: name, range }: DocumentRequest): Units {
  const sheet = name === undefined ? (sheets[0] as Sheet) : sheetNamed(sheets, name);
  const box = range === undefined ? undefined : parseRange(range);
  const last = Math.min(sheet.rows.length, box?.lastRow ?? Infinity);
  const firstColumn = box?.firstColumn ?? 0;
  const width = sheet.rows.reduce((most, row) => Math.max(most, row.length), 0);
  const wanted = Math.max(0, Math.min(width, box ? box.lastColumn + 1 : width) - firstColumn);
  const columns = Math.min(wanted, LIMITS.tableColumns);
  return {
    unit: "row",
    first: box?.firstRow,
    total: last,
    head: tableHead(firstColumn, columns),
    notes: [
      `Sheet ${shownSheetName(sheet, sheets)} of ${sheetNames(sheets)}`,
      ...(columns < wanted ? [cutColumnsNote(firstColumn, columns, wanted)] : []),
    ],
    part: (number) => ({ number, text: rowText(number, cellsOf(sheet, number - 1, firstColumn, columns)) }),
  };
}

const cutColumnsNote = (first: number, shown: number, wanted: number): string =>
  `Columns ${columnName(first)} to ${columnName(first + shown - 1)}; range shows others, up to ${columnName(first + wanted - 1)}`;

/** Returns all rows of all sheets, each with the name of its sheet. */
function allRows(sheets: readonly Sheet[]): Units {
  const rows = sheets.flatMap((sheet) =>
    sheet.rows.map((row, index) => ({
      title: `sheet ${JSON.stringify(sheet.name)}`,
      text: rowText(index + 1, cellsOf(sheet, index, 0, row.length)),
    })),
  );
  return {
    unit: "row",
    total: rows.length,
    notes: [],
    part: (number) => ({ number, text: "", ...rows[number - 1] }),
  };
}

/** Formats cells; a formula follows its value. */
function cellsOf(sheet: Sheet, row: number, firstColumn: number, columns: number): readonly string[] {
  return Array.from({ length: columns }, (_, index) => {
    const column = firstColumn + index;
    const cell = sheet.cells?.get(`${row},${column}`);
    const value = valueText(cell?.formulaResult ?? sheet.rows[row]?.[column] ?? null);
    return cell?.formula === undefined ? value : `${value} {=${cell.formula.replace(/^=/, "")}}`.trimStart();
  });
}

function valueText(value: CellValue): string {
  if (value === null) return "";
  if (!(value instanceof Date)) return String(value);
  if (Number.isNaN(value.getTime())) return "";
  // The days of a workbook begin in 1900: what lies before is a time of no day.
  return value
    .toISOString()
    .replace(/^1899-12-3[01]T/, "")
    .replace(/(?:T00:00:00)?\.000Z$/, "");
}

interface Box {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** Parses "B2", "B2:D9", "B:D" or "2:9". */
function parseRange(range: string): Box {
  const parts = /^\$?([a-z]{0,3})\$?(\d{0,7})(?::\$?([a-z]{0,3})\$?(\d{0,7}))?$/i.exec(range);
  if (!parts || range === "" || range === ":")
    throw new Fault("invalid_input", `Cannot use "range": ${JSON.stringify(range)} is no range such as "A1:D20"`, {
      argument: "range",
    });
  const [, fromColumn = "", fromRow = "", toColumn = fromColumn, toRow = fromRow] = parts;
  const [firstColumn, lastColumn] = [columnIndex(fromColumn || "A"), columnIndex(toColumn || columnName(MOST_COLUMNS))];
  const [firstRow, lastRow] = [Number(fromRow || 1), Number(toRow || Infinity)];
  return {
    firstRow: Math.min(firstRow, lastRow),
    lastRow: Math.max(firstRow, lastRow),
    firstColumn: Math.min(firstColumn, lastColumn),
    lastColumn: Math.max(firstColumn, lastColumn),
  };
}

const MOST_COLUMNS = 16_383;
