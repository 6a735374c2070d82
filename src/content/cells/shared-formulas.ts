import type { TextSplice } from "../../text/edit/splice.ts";
import { cellFault } from "./cell-edit.ts";
import { cellName } from "./cell-reference.ts";
import type { SheetLayout } from "./sheet-layout.ts";
import type { CellXml, Element } from "./sheet-xml.ts";
import { groupOf, ownFormula, sharedTexts } from "./stale-formulas.ts";
import { escapeXml } from "./xml-tags.ts";

/**
 * Gives cells formulas of their own where they share that of a cell which is edited. Only one cell of a group holds the
 * text of its formula.
 */
export function expandedFormulas(
  xml: string,
  { formulas, prefix }: SheetLayout,
  edited: ReadonlySet<CellXml>,
): readonly TextSplice[] {
  const texts = sharedTexts(formulas);
  const gone = new Set([...texts.values()].filter(({ cell }) => edited.has(cell)).map(groupOf));
  if (gone.size === 0) return [];
  return formulas
    .filter((each) => each.formula.kind === "shared" && gone.has(groupOf(each)) && !edited.has(each.cell))
    .map((each) => {
      const text = ownFormula(each, texts) ?? "";
      if (text === "") throw cellFault(cellName(each), "its formula is shared in a way that is not understood");
      const { start, end } = each.cell.formula as Element;
      return { start, end, text: `<${prefix}f>${escapeXml(text)}</${prefix}f>` };
    });
}
