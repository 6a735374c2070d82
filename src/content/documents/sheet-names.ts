import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";

/** A sheet of a workbook, whoever reads it. */
interface NamedSheet {
  readonly name: string;
  readonly hidden?: boolean | undefined;
  readonly veryHidden?: boolean | undefined;
}

/** Finds a sheet by its name, or else by its number. */
export function sheetNamed<Sheet extends NamedSheet>(sheets: readonly Sheet[], wanted: string): Sheet {
  const found = sheets.find(({ name }) => name === wanted) ?? sheets[Number(wanted) - 1];
  if (found) return found;
  const state = `there is no ${JSON.stringify(wanted)}, only ${sheetNames(sheets)}`;
  throw new Fault("invalid_input", `Cannot use "sheet": ${state}`, { argument: "sheet" });
}

/** Lists the names of sheets, which are as long and as many as the file wants. */
export function sheetNames(sheets: readonly NamedSheet[]): string {
  const shown = sheets.slice(0, LIMITS.sheetNames).map((sheet) => shownSheetName(sheet, sheets));
  const more = sheets.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}

/** Returns the number of a sheet whose name is too long: to cut it could cut a secret, which is then not found. */
export function shownSheetName(sheet: NamedSheet, sheets: readonly NamedSheet[]): string {
  const name = sheet.name.length > LIMITS.quotedNameChars ? `${sheets.indexOf(sheet) + 1}` : JSON.stringify(sheet.name);
  return sheet.hidden || sheet.veryHidden ? `${name} (hidden)` : name;
}
