import { LIMITS } from "../../base/limits.ts";
import type { DocumentPart, OpenDocument } from "./document.ts";
import { isNode, nodesNamed, parseXml, resolvePart, textIn, type XmlNode } from "./xml.ts";
import { damaged, openZip, type ZipFile } from "./zip.ts";

/** Opens a presentation: the text of each slide in its order, with tables and notes. */
export async function openSlides(bytes: Uint8Array): Promise<OpenDocument> {
  const zip = await openZip(bytes);
  const targets = targetsOf(zip, PRESENTATION);
  const ids = nodesNamed(parseXml(zip.text(PRESENTATION)), "sldId").map(({ attributes }) => attributes);
  const slides = ids.map(({ id = "" }) => targets.get(id)?.part ?? "");
  if (slides.length === 0 && zip.names.some((name) => name.startsWith("ppt/slides/")))
    throw damaged("its list of slides is empty");
  return {
    units: () => ({
      unit: "slide",
      total: slides.length,
      notes: [],
      part: (number) => slideOf(zip, slides[number - 1] ?? "", number),
    }),
  };
}

const PRESENTATION = "ppt/presentation.xml";

interface Target {
  readonly part: string;
  readonly type: string;
}

/** Returns what a part refers to, by the id of the relation. */
function targetsOf(zip: ZipFile, part: string): ReadonlyMap<string, Target> {
  const relations = zip.text(part.replace(/([^/]*)$/, "_rels/$1.rels"));
  if (relations === "") return new Map();
  return new Map(
    nodesNamed(parseXml(relations), "Relationship").map(({ attributes: { Id = "", Target = "", Type = "" } }) => [
      Id,
      { part: resolvePart(part, Target), type: Type },
    ]),
  );
}

function slideOf(zip: ZipFile, part: string, number: number): DocumentPart {
  const slide = parseXml(zip.text(part) || "<empty/>");
  const shapes = shapesIn(slide);
  const named = shapes.find(({ isTitle, text }) => isTitle && text.length <= LIMITS.quotedLineChars);
  const title = named?.text.replaceAll("\n", " ");
  const notes = [...targetsOf(zip, part).values()]
    .filter(({ type }) => type.endsWith("/notesSlide"))
    .flatMap((target) => shapesIn(parseXml(zip.text(target.part) || "<empty/>")))
    .filter(({ isBody, text }) => isBody && text !== "")
    .map(({ text }) => `Notes: ${text}`);
  const body = shapes.filter((shape) => shape !== named && shape.text !== "").map(({ text }) => text);
  const isHidden = nodesNamed(slide, "sld")[0]?.attributes["show"] === "0";
  const name = [...(title ? [title] : []), ...(isHidden ? ["(hidden)"] : [])].join(" ");
  return { number, title: name === "" ? undefined : name, text: [...body, ...notes].join("\n\n") };
}

interface Shape {
  readonly isTitle: boolean;
  readonly isBody: boolean;
  readonly text: string;
}

function shapesIn(slide: XmlNode): readonly Shape[] {
  return nodesNamed(slide, "sp", "graphicFrame", "pic").map((shape) => {
    const type = nodesNamed(shape, "ph")[0]?.attributes["type"];
    const described = nodesNamed(shape, "cNvPr")[0]?.attributes["descr"];
    const tables = nodesNamed(shape, "tbl").map(tableText);
    const text = paragraphsIn(shape) || placeholderOf(shape, described);
    return {
      isTitle: type === "title" || type === "ctrTitle",
      isBody: type === "body",
      text: tables.length > 0 ? tables.join("\n\n") : text,
    };
  });
}

/** Names what has no text of its own here. */
function placeholderOf(shape: XmlNode, described: string | undefined): string {
  const drawn = /\/(chart|diagram)$/.exec(nodesNamed(shape, "graphicData")[0]?.attributes["uri"] ?? "")?.[1];
  const kind = shape.name === "pic" ? "image" : drawn;
  if (kind === undefined) return "";
  return described ? `[${kind}: ${described}]` : `[${kind}]`;
}

const tableText = (table: XmlNode): string =>
  nodesNamed(table, "tr")
    .map(
      (row) =>
        `| ${nodesNamed(row, "tc")
          .map((cell) => paragraphsIn(cell).replaceAll("\n", " "))
          .join(" | ")} |`,
    )
    .join("\n");

/** Returns the paragraphs of a shape, indented by their level. */
const paragraphsIn = (shape: XmlNode): string =>
  nodesNamed(shape, "p")
    .map((paragraph) => {
      const level = Number(nodesNamed(paragraph, "pPr")[0]?.attributes["lvl"] ?? 0);
      return `${"  ".repeat(Math.min(Math.max(level || 0, 0), MOST_LEVELS))}${runsIn(paragraph)}`;
    })
    .filter((line) => line.trim() !== "")
    .join("\n");

const MOST_LEVELS = 8;

const runsIn = (node: XmlNode): string =>
  node.children
    .filter(isNode)
    .map((child) => (child.name === "t" ? textIn(child) : child.name === "br" ? " " : runsIn(child)))
    .join("");
