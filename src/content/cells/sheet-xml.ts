import { damaged } from "../documents/zip.ts";
import {
  type CellPosition,
  type CellRange,
  MOST_COLUMNS,
  MOST_ROWS,
  parseCell,
  parseCellRange,
} from "./cell-reference.ts";
import { attributesOf, tagsIn, type XmlTag, xmlText } from "./xml-tags.ts";

/** A range of the text of a sheet. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An element whose tags are known; `inner` is what lies between them. */
export interface Element extends Span {
  readonly tag: XmlTag;
  readonly inner: Span;
}

/** A row; `inner` is empty where its tag closes itself. */
export interface RowXml extends Element {
  readonly row: number;
}

/** A cell with the elements that matter of its content. */
export interface CellXml extends Element, CellPosition {
  readonly formula?: Element | undefined;
  readonly value?: Element | undefined;
  readonly inlineText?: Element | undefined;
}

/** Is called for the parts of a sheet in the order of its text. Rows come after their cells. */
export interface SheetVisitor {
  /** Says whether cells without a formula matter in this row: there may be millions. */
  needs(row: number): boolean;
  cell(cell: CellXml): void;
  row(row: RowXml): void;
  /** Is called for every element outside of rows, when it ends. */
  other(element: Element): void;
}

/** The tags of an element. */
type Tags = readonly [first: XmlTag, last: XmlTag];

/** Walks over a sheet once. Refuses rows and cells that are not in ascending order: none may be there twice. */
export function visitSheet(xml: string, visitor: SheetVisitor): void {
  const open: XmlTag[] = [];
  let [row, column] = [0, -1];
  let parts: { formula?: Tags; value?: Tags; inlineText?: Tags } = {};
  for (const tag of tagsIn(xml)) {
    if (tag.kind !== "close" && isRow(tag)) [row, column] = [rowOf(xml, tag, row), -1];
    if (tag.kind !== "close" && isCell(tag)) {
      column = columnOf(xml, tag, row, column);
      parts = {};
    }
    if (tag.kind === "open") {
      open.push(tag);
      continue;
    }
    const first = tag.kind === "close" ? (open.pop() as XmlTag) : tag;
    if (isRow(tag)) visitor.row({ ...elementOf([first, tag]), row });
    else if (isCell(tag)) {
      if (parts.formula || visitor.needs(row))
        visitor.cell({ ...elementOf([first, tag]), row, column, ...elementsOf(parts) });
    } else if (tag.depth === CELL_DEPTH + 1) {
      const part = PARTS[tag.name];
      if (part) parts[part] = [first, tag];
    } else if (tag.depth <= 2) visitor.other(elementOf([first, tag]));
  }
}

const ROW_DEPTH = 2;
const CELL_DEPTH = 3;
const PARTS: Readonly<Record<string, "formula" | "value" | "inlineText">> = {
  f: "formula",
  v: "value",
  is: "inlineText",
};

const isRow = ({ name, depth }: XmlTag): boolean => name === "row" && depth === ROW_DEPTH;
const isCell = ({ name, depth }: XmlTag): boolean => name === "c" && depth === CELL_DEPTH;

const elementOf = ([first, last]: Tags): Element => ({
  tag: first,
  start: first.start,
  end: last.end,
  inner: { start: first.end, end: first === last ? first.end : last.start },
});

const elementsOf = (parts: Readonly<Record<string, Tags>>): Readonly<Record<string, Element>> =>
  Object.fromEntries(Object.entries(parts).map(([name, tags]) => [name, elementOf(tags)]));

/** Says that a sheet has a formula. */
export const hasFormulas = (xml: string): boolean => /<(?:[\w.-]+:)?f[\s/>]/.test(xml);

/** A row without a number follows the one before. */
function rowOf(xml: string, tag: XmlTag, before: number): number {
  const row = Number(placeOf(xml, tag) ?? before + 1);
  if (!Number.isInteger(row) || row <= before || row > MOST_ROWS) throw damaged("its rows are not in order");
  return row;
}

function columnOf(xml: string, tag: XmlTag, row: number, before: number): number {
  const name = placeOf(xml, tag);
  const cell = name === undefined ? { row, column: before + 1 } : parseCell(name);
  if (!cell || cell.row !== row || cell.column <= before || cell.column >= MOST_COLUMNS)
    throw damaged("its cells are not in order");
  return cell.column;
}

/** Returns where a row or a cell says that it is. Most tags begin with that, so that no others have to be parsed. */
function placeOf(xml: string, tag: XmlTag): string | undefined {
  PLACE.lastIndex = tag.start;
  return PLACE.exec(xml)?.[1] ?? attributesOf(xml, tag).get("r");
}

const PLACE = /<[^\s"'<>/]+ r="([A-Z]*\d+)"/y;

/** The formula of a cell. `shared` names the group of cells that share one; only one of them has its text. */
export interface CellFormula {
  readonly text: string;
  readonly kind: string;
  readonly shared?: string | undefined;
  readonly range?: CellRange | undefined;
}

export function formulaIn(xml: string, { formula }: CellXml): CellFormula | undefined {
  if (!formula) return undefined;
  const attributes = attributesOf(xml, formula.tag);
  const range = attributes.get("ref");
  return {
    text: xmlText(xml.slice(formula.inner.start, formula.inner.end)),
    kind: attributes.get("t") ?? "normal",
    shared: attributes.get("si"),
    range: range === undefined ? undefined : parseCellRange(range),
  };
}

export const contentOf = (xml: string, element: Element | undefined): string =>
  element === undefined ? "" : xml.slice(element.inner.start, element.inner.end);
