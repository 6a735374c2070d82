import { resolvePart } from "../documents/xml.ts";
import { damaged } from "../documents/zip.ts";
import { refusedFault } from "./cell-edit.ts";
import type { CellRange } from "./cell-reference.ts";
import { parseCellRange } from "./cell-reference.ts";
import { attributesOf, tagsIn } from "./xml-tags.ts";
import type { ZipPackage } from "./zip-package.ts";

export const WORKBOOK = "xl/workbook.xml";
export const WORKBOOK_LINKS = "xl/_rels/workbook.xml.rels";
export const CONTENT_TYPES = "[Content_Types].xml";

/** A sheet of cells, with the part that holds it. */
export interface SheetPart {
  readonly name: string;
  readonly part: string;
}

/** Refuses files that an edit would spoil: a signature becomes invalid, and macros act on cells. */
export async function requireEditable(zip: ZipPackage): Promise<void> {
  if (zip.names.some((name) => /^_xmlsignatures\//i.test(name)))
    throw refusedFault("the workbook is signed, and an edit would break its signature", COPY);
  const types = await zip.text(CONTENT_TYPES);
  if (
    zip.names.some((name) => /(?:^|\/)(?:vbaproject[^/]*\.bin$|[a-z]*macrosheets\/)/i.test(name)) ||
    /macroEnabled/i.test(types)
  )
    throw refusedFault("the workbook has macros", COPY);
}

const COPY = "Ask the user for a copy without them, saved as .xlsx, or to edit it in a spreadsheet program";

/** A link from one part to another one. */
export interface PartLink {
  readonly id: string;
  /** The last word of its type: "worksheet", "table". */
  readonly type: string;
  readonly part: string;
}

/** Returns the links of a part; none where it has no list of them. */
export async function linksOf(zip: ZipPackage, part: string): Promise<readonly PartLink[]> {
  const list = part.replace(/([^/]*)$/, "_rels/$1.rels");
  if (!zip.has(list)) return [];
  const xml = await zip.text(list);
  const links: PartLink[] = [];
  for (const tag of tagsIn(xml)) {
    if (tag.name !== "Relationship" || tag.kind === "close") continue;
    const attributes = attributesOf(xml, tag);
    if (attributes.get("TargetMode") === "External") continue;
    links.push({
      id: attributes.get("Id") ?? "",
      type: /[^/]*$/.exec(attributes.get("Type") ?? "")?.[0] ?? "",
      part: resolvePart(part, attributes.get("Target") ?? ""),
    });
  }
  return links;
}

/** Lists the sheets of cells in their order, and says how dates are counted. */
export async function sheetsOf(
  zip: ZipPackage,
  workbook: string,
): Promise<{ readonly sheets: readonly SheetPart[]; readonly isFrom1904: boolean }> {
  const parts = new Map((await linksOf(zip, WORKBOOK)).map((link) => [link.id, link]));
  const sheets: SheetPart[] = [];
  let isFrom1904 = false;
  for (const tag of tagsIn(workbook)) {
    if (tag.kind === "close" || (tag.name !== "sheet" && tag.name !== "workbookPr")) continue;
    const attributes = attributesOf(workbook, tag);
    if (tag.name === "workbookPr") isFrom1904 = /^(?:1|true)$/.test(attributes.get("date1904") ?? "");
    const id = [...attributes].find(([name]) => name.endsWith(":id"))?.[1] ?? "";
    const link = parts.get(id);
    const name = attributes.get("name");
    if (tag.name === "sheet" && link?.type === "worksheet" && name !== undefined)
      sheets.push({ name, part: link.part });
  }
  if (sheets.length === 0) throw damaged("it has no sheets");
  return { sheets, isFrom1904 };
}

/** A range whose cells belong to something that repeats their text elsewhere. */
export interface OwnedRange {
  readonly owner: string;
  readonly range: CellRange;
}

/** Lists the headings and totals of tables, and pivot tables, of a sheet. */
export async function ownedRanges(zip: ZipPackage, sheet: string): Promise<readonly OwnedRange[]> {
  const found: OwnedRange[] = [];
  for (const { type, part } of await linksOf(zip, sheet)) {
    if (type === "table") found.push(...tableEdges(await zip.text(part)));
    if (type === "pivotTable") found.push(...rangesOf(await zip.text(part), "location", "a pivot table"));
  }
  return found;
}

const rangesOf = (xml: string, name: string, owner: string): readonly OwnedRange[] =>
  [...tagsIn(xml)].flatMap((tag) => {
    const range = tag.name === name ? parseCellRange(attributesOf(xml, tag).get("ref") ?? "") : undefined;
    return range ? [{ owner, range }] : [];
  });

function tableEdges(xml: string): readonly OwnedRange[] {
  const [root] = tagsIn(xml);
  const attributes = root && attributesOf(xml, root);
  const range = parseCellRange(attributes?.get("ref") ?? "");
  if (!attributes || !range) return [];
  const owner = `the table ${JSON.stringify(attributes.get("displayName") ?? attributes.get("name") ?? "")}`;
  const headings = Number(attributes.get("headerRowCount") ?? 1);
  const totals = Number(attributes.get("totalsRowCount") ?? 0);
  return [
    ...(headings > 0
      ? [{ owner: `the headings of ${owner}`, range: { ...range, lastRow: range.firstRow + headings - 1 } }]
      : []),
    ...(totals > 0
      ? [{ owner: `the totals of ${owner}`, range: { ...range, firstRow: range.lastRow - totals + 1 } }]
      : []),
  ];
}
