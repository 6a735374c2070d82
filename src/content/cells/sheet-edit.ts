import type { TextSplice } from "../../text/edit/splice.ts";
import { damaged } from "../documents/zip.ts";
import { cellName, parseCellRange, rangeName } from "./cell-reference.ts";
import { type CellValue, valueXml } from "./cell-value.ts";
import type { CellSlot, SheetLayout } from "./sheet-layout.ts";
import type { CellXml, Element, RowXml } from "./sheet-xml.ts";
import { attributesOf, withAttribute } from "./xml-tags.ts";

/** A slot with the value that it gets. */
export interface FilledSlot extends CellSlot {
  readonly value: CellValue;
}

/** Returns the splices that put values into a sheet. Cells that are there keep their style. */
export function splicesFor(xml: string, layout: SheetLayout, slots: readonly FilledSlot[]): readonly TextSplice[] {
  const { prefix } = layout;
  const there = slots.flatMap(({ cell, value }) => (cell ? [replacedCell(xml, cell, value, prefix)] : []));
  const missing = slots.filter(({ cell, value }) => !cell && value.kind !== "empty");
  const isNew = ({ rowXml }: FilledSlot): boolean => rowXml === undefined;
  return [
    ...there,
    ...[
      ...groupedBy(
        missing.filter((slot) => !isNew(slot)),
        ({ row }) => row,
      ).values(),
    ].flatMap((group) => cellsInto(xml, group[0]?.rowXml as RowXml, group, layout)),
    ...newRows(xml, missing.filter(isNew), layout),
    ...grownDimension(xml, layout.dimension, missing),
  ];
}

/** Replaces the content of a cell. All of its attributes stay but those that describe the old content. */
function replacedCell(xml: string, cell: CellXml, value: CellValue, prefix: string): TextSplice {
  const { type, inner } = valueXml(value, prefix);
  let tag = xml.slice(cell.tag.start, cell.tag.end);
  for (const name of ["cm", "vm", "ph"]) tag = withAttribute(tag, name, undefined);
  tag = withAttribute(tag, "t", type);
  const content = inner + restOf(xml, cell);
  const opened = tag.endsWith("/>") ? `${tag.slice(0, -2)}>` : tag;
  const text = content === "" ? `${opened.slice(0, -1)}/>` : `${opened}${content}</${prefix}c>`;
  return { start: cell.start, end: cell.end, text };
}

/** Returns what a cell holds besides its content: extensions. */
function restOf(xml: string, { inner, formula, value, inlineText }: CellXml): string {
  const gone = [formula, value, inlineText].filter((each): each is Element => each !== undefined);
  let rest = "";
  let from = inner.start;
  for (const { start, end } of gone.toSorted((one, other) => one.start - other.start)) {
    rest += xml.slice(from, start);
    from = end;
  }
  return (rest + xml.slice(from, inner.end)).trim();
}

/** Inserts cells into a row. Its hint about the columns it spans may no longer be true. */
function cellsInto(xml: string, row: RowXml, slots: readonly FilledSlot[], layout: SheetLayout): readonly TextSplice[] {
  const style = rowStyle(xml, row);
  const cells = slots.map((slot) => ({ at: slot.insertAt, text: newCell(slot, style, layout) }));
  const tag = withAttribute(xml.slice(row.tag.start, row.tag.end), "spans", undefined);
  if (row.tag.kind === "empty") {
    const text = `${tag.slice(0, -2).trimEnd()}>${cells.map(({ text: each }) => each).join("")}</${layout.prefix}row>`;
    return [{ start: row.start, end: row.end, text }];
  }
  return [
    { start: row.tag.start, end: row.tag.end, text: tag },
    ...cells.map(({ at, text }) => ({ start: at, end: at, text })),
  ];
}

/** Returns the style that empty cells of a row have. */
export function rowStyle(xml: string, row: RowXml): string | undefined {
  const attributes = attributesOf(xml, row.tag);
  return /^(?:1|true)$/.test(attributes.get("customFormat") ?? "") ? attributes.get("s") : undefined;
}

/** Writes a cell with the style that it had while it was empty: that of its row, or of its column. */
function newCell(slot: FilledSlot, style: string | undefined, { prefix, columnStyle }: SheetLayout): string {
  const { type, inner } = valueXml(slot.value, prefix);
  const attributes = Object.entries({ r: cellName(slot), s: style ?? columnStyle(slot.column), t: type });
  const shown = attributes.flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${value}"`]));
  return `<${prefix}c${shown.join("")}>${inner}</${prefix}c>`;
}

function newRows(xml: string, slots: readonly FilledSlot[], layout: SheetLayout): readonly TextSplice[] {
  const { prefix, data } = layout;
  if (slots.length === 0) return [];
  if (!data) throw damaged("a sheet has no place for cells");
  const rows = [...groupedBy(slots, ({ row }) => row)].map(([row, group]) => ({
    at: group[0]?.insertAt ?? 0,
    text: `<${prefix}row r="${row}">${group.map((slot) => newCell(slot, undefined, layout)).join("")}</${prefix}row>`,
  }));
  if (data.tag.kind !== "empty") return rows.map(({ at, text }) => ({ start: at, end: at, text }));
  const tag = xml.slice(data.start, data.end).slice(0, -2).trimEnd();
  return [
    { start: data.start, end: data.end, text: `${tag}>${rows.map(({ text }) => text).join("")}</${prefix}sheetData>` },
  ];
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => number): ReadonlyMap<number, readonly Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Extends the range that a sheet says it uses: some programs read no more than that. */
function grownDimension(
  xml: string,
  dimension: Element | undefined,
  added: readonly FilledSlot[],
): readonly TextSplice[] {
  const range = dimension && parseCellRange(attributesOf(xml, dimension.tag).get("ref") ?? "");
  if (!dimension || !range || added.length === 0) return [];
  const grown = {
    firstRow: Math.min(range.firstRow, ...added.map(({ row }) => row)),
    lastRow: Math.max(range.lastRow, ...added.map(({ row }) => row)),
    firstColumn: Math.min(range.firstColumn, ...added.map(({ column }) => column)),
    lastColumn: Math.max(range.lastColumn, ...added.map(({ column }) => column)),
  };
  const { start, end } = dimension.tag;
  return [{ start, end, text: withAttribute(xml.slice(start, end), "ref", rangeName(grown)) }];
}

/** Returns the splices that remove the stored result of a formula, and its type. */
export function withoutResult(xml: string, { tag, value }: CellXml): readonly TextSplice[] {
  if (!value) return [];
  const text = withAttribute(xml.slice(tag.start, tag.end), "t", undefined);
  return [
    { start: tag.start, end: tag.end, text },
    { start: value.start, end: value.end, text: "" },
  ];
}
