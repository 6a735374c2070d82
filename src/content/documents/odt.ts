import { LIMITS } from "../../base/limits.ts";
import { linesOf, type OpenDocument } from "./document.ts";
import { isNode, nodesNamed, parseXml, textIn, type XmlNode } from "./xml.ts";
import { damaged, openZip } from "./zip.ts";

/** Opens a text document of the OpenDocument format as Markdown. */
export async function openOdt(bytes: Uint8Array): Promise<OpenDocument> {
  const zip = await openZip(bytes);
  const [body] = nodesNamed(parseXml(zip.text("content.xml") || "<empty/>"), "text");
  if (!body) throw damaged("it has no text");
  return linesOf(blocksIn(body, 0).join("\n\n"));
}

function blocksIn(parent: XmlNode, depth: number): readonly string[] {
  return parent.children.filter(isNode).flatMap((node) => {
    switch (node.name) {
      case "h":
        return [
          `${"#".repeat(Math.min(6, Math.max(1, Number(node.attributes["outline-level"]) || 1)))} ${inlineText(node)}`,
        ];
      case "p":
        return inlineText(node).trim() === "" ? [] : [inlineText(node)];
      case "list":
        return [listText(node, depth)];
      case "table":
        return [tableText(node)];
      case "tracked-changes":
      case "sequence-decls":
      case "forms":
        return [];
      default:
        return blocksIn(node, depth);
    }
  });
}

const listText = (list: XmlNode, depth: number): string =>
  list.children
    .filter(isNode)
    .flatMap((item) =>
      item.children.filter(isNode).flatMap((child) => {
        if (child.name === "list") return [listText(child, depth + 1)];
        const text = inlineText(child);
        return text.trim() === "" ? [] : [`${"  ".repeat(depth)}- ${text}`];
      }),
    )
    .join("\n");

function tableText(table: XmlNode): string {
  const rows = nodesNamed(table, "table-row").map((row) =>
    nodesNamed(row, "table-cell").map((cell) => blocksIn(cell, 0).join(" ").replaceAll("\n", " ")),
  );
  const [first = [], ...rest] = rows.map((cells) => `| ${cells.join(" | ")} |`);
  return [first, `|${" --- |".repeat(rows[0]?.length ?? 0)}`, ...rest].join("\n");
}

/** Returns the text of a paragraph. Spaces and line breaks are elements in this format. */
function inlineText(node: XmlNode): string {
  return node.children
    .map((child) => {
      if (!isNode(child)) return child.replace(/[ \t\r\n]+/g, " ");
      switch (child.name) {
        case "s":
          return " ".repeat(Math.min(LIMITS.quotedLineChars, Math.max(1, Number(child.attributes["c"]) || 1)));
        case "tab":
          return "\t";
        case "line-break":
          return "\n";
        case "a":
          return `[${inlineText(child)}](${child.attributes["href"] ?? ""})`;
        case "annotation":
          return ` [comment: ${nodesNamed(child, "p").map(textIn).join(" ")}]`;
        case "note":
          return ` (${nodesNamed(child, "note-body")
            .flatMap((body) => blocksIn(body, 0))
            .join(" ")})`;
        default:
          return inlineText(child);
      }
    })
    .join("");
}
