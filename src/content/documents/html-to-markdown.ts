import type TurndownService from "turndown";
import { fromLibrary } from "./library.ts";
import { damaged } from "./zip.ts";

/**
 * Loads what converts HTML to Markdown. Nothing is escaped: text that looks like Markdown stays as it is, so that a
 * secret in it is still recognised.
 */
export async function loadHtmlToMarkdown(): Promise<(html: string) => string> {
  const { default: Service } = await fromLibrary("turndown", () => import("turndown"));
  const service = createService(Service);
  return (html) => converted(service, html);
}

function converted(service: TurndownService, html: string): string {
  try {
    return service
      .turndown(html)
      .replace(/[ \t]+$/gm, "")
      .replace(/\n{3,}/g, "\n\n");
  } catch (error) {
    if (error instanceof RangeError) throw damaged("its HTML is nested too deeply");
    throw error;
  }
}

function createService(Service: typeof TurndownService): TurndownService {
  const made = new Service({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-", hr: "---" });
  made.escape = (text) => text;
  made.remove(["script", "style", "noscript", "template", "head", "title", "iframe", "object"] as never[]);
  made.addRule("strikethrough", { filter: ["del", "s"], replacement: (content) => `~~${content}~~` });
  made.addRule("image", { filter: "img", replacement: (_, node) => imageText(node) });
  made.addRule("cell", { filter: ["td", "th"], replacement: (content) => ` ${oneLine(content)} |` });
  made.addRule("row", { filter: "tr", replacement: (content, node) => rowText(content, node) });
  made.addRule("section", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  made.addRule("table", {
    filter: "table",
    replacement: (content) => `\n\n${content.replace(/\n{2,}/g, "\n").trim()}\n\n`,
  });
  return made;
}

/** Describes the part of an element that is used here. */
interface HtmlElement {
  readonly nodeName: string;
  readonly parentNode: HtmlElement | null;
  readonly childNodes: ArrayLike<HtmlElement>;
  getAttribute(name: string): string | null;
}

const oneLine = (content: string): string => content.trim().replace(/\s*\n\s*/g, " ");

/** Formats a row; a rule of dashes follows the first one of the table, whether or not it is a heading. */
function rowText(content: string, row: HtmlElement): string {
  const line = `\n|${content}`;
  if (!isFirstRow(row)) return line;
  const cells = Array.from(row.childNodes).filter(({ nodeName }) => nodeName === "TD" || nodeName === "TH").length;
  return `${line}\n|${" --- |".repeat(cells)}`;
}

function isFirstRow(row: HtmlElement): boolean {
  const section = row.parentNode;
  const isFirstIn = (parent: HtmlElement | null, child: HtmlElement): boolean =>
    Array.from(parent?.childNodes ?? []).find(({ nodeName }) => SECTIONS.has(nodeName)) === child;
  if (!section || !isFirstIn(section, row)) return false;
  return section.nodeName === "TABLE" || isFirstIn(section.parentNode, section);
}

const SECTIONS: ReadonlySet<string> = new Set(["TR", "THEAD", "TBODY", "TFOOT"]);

/** Names an image by its text. What it shows is not loaded, and data in its address is not repeated. */
function imageText(image: HtmlElement): string {
  const words = oneLine(image.getAttribute("alt") ?? "");
  const source = image.getAttribute("src") ?? "";
  if (source !== "" && !source.startsWith("data:")) return `![${words}](${source})`;
  return words === "" ? "[image]" : `[image: ${words}]`;
}
