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
  cell(cell: CellXml): void;
  row(row: RowXml): void;
  /** Is called for every element outside of rows, when it ends. */
  other(element: Element): void;
}

/** Walks over a sheet once. Refuses rows and cells that are not in ascending order: none may be there twice. */
export function visitSheet(xml: string, visitor: SheetVisitor): void {
  const open: XmlTag[] = [];
  let position: CellPosition = { row: 0, column: -1 };
  let parts: Partial<Record<"formula" | "value" | "inlineText", Element>> = {};
  for (const tag of tagsIn(xml)) {
    if (tag.kind !== "close") {
      if (isRow(tag)) position = { row: rowOf(xml, tag, position.row), column: -1 };
      if (isCell(tag)) {
        position = { ...position, column: columnOf(xml, tag, position) };
        parts = {};
      }
    }
    if (tag.kind === "open") {
      open.push(tag);
      continue;
    }
    const element = elementOf(tag.kind === "close" ? (open.pop() as XmlTag) : tag, tag);
    if (isRow(tag)) visitor.row({ ...element, row: position.row });
    else if (isCell(tag)) visitor.cell({ ...element, ...position, ...parts });
    else if (tag.depth === CELL_DEPTH + 1 && PARTS[tag.name]) parts[PARTS[tag.name] as "value"] = element;
    else if (tag.depth <= 2) visitor.other(element);
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

const elementOf = (first: XmlTag, last: XmlTag): Element => ({
  tag: first,
  start: first.start,
  end: last.end,
  inner: { start: first.end, end: first === last ? first.end : last.start },
});

/** A row without a number follows the one before. */
function rowOf(xml: string, tag: XmlTag, before: number): number {
  const row = Number(attributesOf(xml, tag).get("r") ?? before + 1);
  if (!Number.isInteger(row) || row <= before || row > MOST_ROWS) throw damaged("its rows are not in order");
  return row;
}

function columnOf(xml: string, tag: XmlTag, { row, column: before }: CellPosition): number {
  const name = attributesOf(xml, tag).get("r");
  const cell = name === undefined ? { row, column: before + 1 } : parseCell(name);
  if (!cell || cell.row !== row || cell.column <= before || cell.column >= MOST_COLUMNS)
    throw damaged("its cells are not in order");
  return cell.column;
}

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
