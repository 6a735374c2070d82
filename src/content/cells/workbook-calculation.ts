import { splicedText } from "./cell-edit.ts";
import { CONTENT_TYPES, linksOf, WORKBOOK, WORKBOOK_LINKS } from "./workbook-parts.ts";
import { attributesOf, tagsIn, withAttribute, type XmlTag } from "./xml-tags.ts";
import type { ZipPackage } from "./zip-package.ts";

/** Returns a workbook that asks programs to calculate all formulas when they open it. */
export function withRecalculation(workbook: string): string {
  let last: XmlTag | undefined;
  for (const tag of tagsIn(workbook)) {
    const { name, kind, depth, start, end } = tag;
    if (depth !== 1) continue;
    if (name === "calcPr" && kind !== "close")
      return splicedText(workbook, [
        { start, end, text: withAttribute(workbook.slice(start, end), "fullCalcOnLoad", "1") },
      ]);
    if (kind !== "open" && BEFORE.has(name)) last = tag;
  }
  if (!last) return workbook;
  return splicedText(workbook, [
    { start: last.end, end: last.end, text: `<${last.prefix}calcPr fullCalcOnLoad="1"/>` },
  ]);
}

/** The elements that the format puts before the settings of calculation; the first one is always there. */
const BEFORE: ReadonlySet<string> = new Set(["sheets", "functionGroups", "externalReferences", "definedNames"]);

/**
 * Returns the parts without the order of calculation: it names every cell with a formula, and one that has none any
 * more makes a program call the file damaged. It is made anew when the file is opened.
 */
export async function withoutCalculationOrder(zip: ZipPackage): Promise<readonly (readonly [string, string | null])[]> {
  const part = (await linksOf(zip, WORKBOOK)).find(({ type }) => type === "calcChain")?.part;
  if (part === undefined || !zip.has(part)) return [];
  const [links, types] = [await zip.text(WORKBOOK_LINKS), await zip.text(CONTENT_TYPES)];
  return [
    [part, null],
    [WORKBOOK_LINKS, without(links, (name, value) => name === "Type" && value.endsWith("/calcChain"))],
    [CONTENT_TYPES, without(types, (name, value) => name === "PartName" && value === `/${part}`)],
  ];
}

/** Removes the elements that have an attribute. */
function without(xml: string, isMatch: (name: string, value: string) => boolean): string {
  const gone = [...tagsIn(xml)].filter(
    (tag) => tag.depth === 1 && [...attributesOf(xml, tag)].some(([name, value]) => isMatch(name, value)),
  );
  const ends = gone.map((tag) => (tag.kind === "empty" ? tag.end : xml.indexOf(">", tag.end) + 1));
  return splicedText(
    xml,
    gone.map(({ start }, nth) => ({ start, end: ends[nth] ?? start, text: "" })),
  );
}
