/** Formats a row: its number, then its cells, with tabs between them. */
export const rowText = (number: number, cells: readonly string[]): string =>
  [String(number), ...cells.map(oneLine)].join("\t").replace(/\t+$/, "");

export const oneLine = (cell: string): string => cell.replace(/[\t\n\r]+/g, " ");

/** Returns the letters of columns as the line above the rows. `first` counts from 0. */
export const tableHead = (first: number, columns: number): string =>
  ["", ...Array.from({ length: columns }, (_, index) => columnName(first + index))].join("\t");

/** Returns the letters of a column, which counts from 0: A, Z, AA. */
export function columnName(index: number): string {
  const rest = Math.floor(index / 26) - 1;
  return `${rest < 0 ? "" : columnName(rest)}${String.fromCharCode(65 + (index % 26))}`;
}

/** Returns the number of a column from its letters, from 0. */
export const columnIndex = (letters: string): number =>
  Array.from(letters.toUpperCase()).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
