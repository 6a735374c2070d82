import { Fault } from "../../base/errors.ts";
import type { TextSplice } from "../../text/edit/splice.ts";
import { plural } from "../../text/plural.ts";
import { quoted } from "../../text/quote.ts";
import { sheetNamed } from "../documents/sheet-names.ts";
import { type CellEdit, cellFault, type EditedCell, type EditedCells, splicedText } from "./cell-edit.ts";
import { type CellPosition, cellName, isInRange, parseCell, rangeName } from "./cell-reference.ts";
import { type CellValue, typedValue, type ValueContext, valueIn } from "./cell-value.ts";
import { shownFormula } from "./formula.ts";
import { type FilledSlot, rowStyle, splicesFor, withoutResult } from "./sheet-edit.ts";
import { type CellSlot, isArray, type SheetLayout, sheetLayout } from "./sheet-layout.ts";
import { expandedFormulas } from "./shared-formulas.ts";
import { type FormulaCell, ownFormula, sharedTexts, staleFormulas } from "./stale-formulas.ts";
import { createValueContext } from "./value-context.ts";
import { withoutCalculationOrder, withRecalculation } from "./workbook-calculation.ts";
import { ownedRanges, type OwnedRange, requireEditable, type SheetPart, sheetsOf, WORKBOOK } from "./workbook-parts.ts";
import { attributesOf } from "./xml-tags.ts";
import { openPackage, type ZipPackage } from "./zip-package.ts";

/**
 * Edits cells of a workbook. Only the parts that hold these cells change, and in them only these cells; every other
 * part is copied as it is.
 */
export async function editWorkbook(bytes: Uint8Array, edits: readonly CellEdit[]): Promise<EditedCells> {
  const zip = await openPackage(bytes);
  await requireEditable(zip);
  const workbook = await zip.text(WORKBOOK);
  const { sheets, isFrom1904 } = await sheetsOf(zip, workbook);
  const wanted = edits.map((edit) => wantedCell(sheets, edit));
  requireOnce(wanted);
  const context = await createValueContext(zip, isFrom1904);
  const opened: OpenSheet[] = [];
  for (const sheet of sheets) opened.push(await openSheet(zip, sheet, wanted));
  const formulas = opened.flatMap(({ layout }) => layout.formulas);
  const filled = opened.flatMap((sheet) => filledSlots(sheet, wanted, { context, formulas, isFrom1904 }));
  const changed = filled.filter(({ before, value }) => !isSame(before, value));
  if (changed.length === 0) throw new Fault("no_change", "Cannot edit: the cells have these values already");
  const stale = staleFormulas(
    formulas,
    changed.map(({ sheet, row, column }) => ({ sheet: sheet.key, row, column })),
  );
  const parts = changedParts(opened, changed, stale);
  if (formulas.length > 0 || changed.some(({ value }) => value.kind === "formula"))
    parts.set(WORKBOOK, withRecalculation(workbook));
  const isFormulaGone = changed.some(({ cell, value }) => cell?.formula && value.kind !== "formula");
  const more = isFormulaGone ? await withoutCalculationOrder(zip) : [];
  return {
    bytes: zip.withParts(new Map([...parts, ...more])),
    cells: filled.map(({ name, before, value }): EditedCell => ({ name, before: before.text, after: value.text })),
    notes: notesOn(
      filled,
      stale.filter((each) => hasResult(each.cell) && !isEdited(each.cell, changed)),
    ),
  };
}

interface WantedCell extends CellPosition {
  readonly sheet: SheetPart;
  /** Names the cell in messages. */
  readonly name: string;
  readonly newText: string;
}

function wantedCell(sheets: readonly SheetPart[], { sheet: named, cell, newText }: CellEdit): WantedCell {
  const sheet = named === undefined ? (sheets[0] as SheetPart) : sheetNamed(sheets, named);
  const position = parseCell(cell);
  if (!position)
    throw new Fault("invalid_input", `Cannot use "cell": ${JSON.stringify(cell)} is no cell such as "B2"`, {
      argument: "cell",
    });
  return { ...position, sheet, name: `${quoted(sheet.name)}!${cellName(position)}`, newText };
}

function requireOnce(wanted: readonly WantedCell[]): void {
  const twice = wanted.find(({ name }, index) => wanted.findIndex((each) => each.name === name) < index);
  if (twice) throw new Fault("overlap", `Cannot edit ${twice.name} twice in one call`, { argument: "edits" });
}

interface OpenSheet extends SheetPart {
  /** The name as references compare it: without regard to case. */
  readonly key: string;
  readonly xml: string;
  readonly layout: SheetLayout;
  readonly owned: readonly OwnedRange[];
}

async function openSheet(zip: ZipPackage, sheet: SheetPart, wanted: readonly WantedCell[]): Promise<OpenSheet> {
  const xml = await zip.text(sheet.part);
  const key = sheet.name.toLowerCase();
  const own = wanted.filter((each) => each.sheet === sheet).map(({ row, column }) => ({ row, column }));
  const owned = own.length > 0 ? await ownedRanges(zip, sheet.part) : [];
  return { ...sheet, key, xml, layout: sheetLayout(xml, key, own), owned };
}

/** A slot with its value before and after. */
interface ChangedSlot extends FilledSlot {
  readonly sheet: OpenSheet;
  readonly name: string;
  readonly before: CellValue;
}

interface Workbook {
  readonly context: ValueContext;
  readonly formulas: readonly FormulaCell[];
  readonly isFrom1904: boolean;
}

function filledSlots(sheet: OpenSheet, wanted: readonly WantedCell[], workbook: Workbook): readonly ChangedSlot[] {
  return sheet.layout.slots.map((slot) => {
    const { name, newText } = wanted.find(
      (each) => each.sheet.part === sheet.part && each.row === slot.row && each.column === slot.column,
    ) as WantedCell;
    requireFree(sheet, slot, name);
    const format = workbook.context.formatOf(styleOf(sheet, slot));
    const value = typedValue(name, newText, format, workbook.isFrom1904);
    return { ...slot, sheet, name, before: valueBefore(sheet, slot, workbook), value };
  });
}

const styleOf = ({ xml, layout }: OpenSheet, { cell, column, rowXml }: CellSlot): string | undefined =>
  cell ? attributesOf(xml, cell.tag).get("s") : ((rowXml && rowStyle(xml, rowXml)) ?? layout.columnStyle(column));

/** Refuses a cell whose content is not its own. */
function requireFree({ layout, owned }: OpenSheet, slot: CellSlot, name: string): void {
  const merged = layout.merged.find((range) => isInRange(slot, range));
  if (merged && (merged.firstRow !== slot.row || merged.firstColumn !== slot.column)) {
    const first = cellName({ row: merged.firstRow, column: merged.firstColumn });
    throw cellFault(name, `it is merged into ${rangeName(merged)}`, `Edit ${first} instead: it holds the content`);
  }
  const array = layout.formulas.find(
    (each) => isArray(each) && each.formula.range && isInRange(slot, each.formula.range),
  );
  if (array?.formula.range)
    throw cellFault(
      name,
      `one formula fills ${rangeName(array.formula.range)}`,
      "Ask the user to edit it in a spreadsheet program",
    );
  const owner = owned.find(({ range }) => isInRange(slot, range))?.owner;
  if (owner !== undefined)
    throw cellFault(name, `it belongs to ${owner}`, "Ask the user to edit it in a spreadsheet program");
}

function valueBefore({ xml }: OpenSheet, { cell }: CellSlot, { context, formulas }: Workbook): CellValue {
  const own = cell?.formula && formulas.find((each) => each.cell === cell);
  if (!own) return valueIn(xml, cell, context);
  const formula = ownFormula(own, sharedTexts(formulas)) ?? "";
  return { kind: "formula", text: `=${shownFormula(formula)}` };
}

const isSame = (one: CellValue, other: CellValue): boolean => one.kind === other.kind && one.text === other.text;

const hasResult = ({ value }: FormulaCell["cell"]): boolean =>
  value !== undefined && value.inner.end > value.inner.start;

const isEdited = (cell: FormulaCell["cell"], changed: readonly ChangedSlot[]): boolean =>
  changed.some((each) => each.cell === cell);

/** Returns the new text of every sheet in which something changes. */
function changedParts(
  opened: readonly OpenSheet[],
  changed: readonly ChangedSlot[],
  stale: readonly FormulaCell[],
): Map<string, string | null> {
  const parts = new Map<string, string | null>();
  const edited = new Set(changed.flatMap(({ cell }) => cell ?? []));
  for (const { part, xml, layout, key } of opened) {
    const slots = changed.filter(({ sheet }) => sheet.part === part);
    const results = stale.filter(({ sheet }) => sheet === key).flatMap(({ cell, spilled }) => [cell, ...spilled]);
    const splices: readonly TextSplice[] = [
      ...splicesFor(xml, layout, slots),
      ...expandedFormulas(xml, layout, edited),
      ...results.filter((cell) => !edited.has(cell)).flatMap((cell) => withoutResult(xml, cell)),
    ];
    if (splices.length > 0) parts.set(part, splicedText(xml, splices));
  }
  return parts;
}

function notesOn(filled: readonly ChangedSlot[], stale: readonly FormulaCell[]): readonly string[] {
  const isDateLost = ({ before, value }: ChangedSlot): boolean =>
    before.kind === "number" && /^\d{4}-\d\d-\d\d/.test(before.text) && value.kind === "text";
  const dates = filled.filter(isDateLost).map(({ name }) => name);
  return [
    ...(stale.length > 0
      ? [
          `the results of ${plural(stale.length, "formula")} may have changed: they are calculated when a spreadsheet program opens the file`,
        ]
      : []),
    ...(dates.length > 0 ? [`${dates.join(", ")} held a date and now holds a text: write dates as 2026-11-18`] : []),
  ];
}
