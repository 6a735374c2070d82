import type { ValueContext } from "./cell-value.ts";
import { runsText } from "./cell-value.ts";
import { numberFormatsIn } from "./number-format.ts";
import { linksOf, WORKBOOK } from "./workbook-parts.ts";
import { tagsIn } from "./xml-tags.ts";
import type { ZipPackage } from "./zip-package.ts";

/** Reads the styles of a workbook, and its shared texts when one is asked for. */
export async function createValueContext(zip: ZipPackage, isFrom1904: boolean): Promise<ValueContext> {
  const links = await linksOf(zip, WORKBOOK);
  const partOf = async (wanted: string): Promise<string> => {
    const part = links.find(({ type }) => type === wanted)?.part;
    return part !== undefined && zip.has(part) ? zip.text(part) : "";
  };
  const formats = numberFormatsIn(await partOf("styles"));
  const shared = await partOf("sharedStrings");
  return {
    isFrom1904,
    formatOf: (style = "0") => formats[Number(style)] ?? "other",
    sharedText: (index) => textAt(shared, index),
  };
}

function textAt(shared: string, index: number): string {
  let [count, start] = [-1, 0];
  for (const { name, kind, depth, end, start: from } of tagsIn(shared)) {
    if (name !== "si" || depth !== 1) continue;
    if (kind !== "close") count++;
    if (kind === "open") start = end;
    if (count === index && kind !== "open") return kind === "empty" ? "" : runsText(shared.slice(start, from));
  }
  return "";
}
