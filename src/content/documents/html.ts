import { decode } from "../../text/encoding/encoding.ts";
import { detectEncoding } from "../../text/encoding/detect.ts";
import { linesOf, type OpenDocument } from "./document.ts";
import { loadHtmlToMarkdown } from "./html-to-markdown.ts";
import { damaged } from "./zip.ts";

/** Opens HTML as Markdown. */
export async function openHtml(bytes: Uint8Array): Promise<OpenDocument> {
  const toMarkdown = await loadHtmlToMarkdown();
  return linesOf(toMarkdown(await textOf(bytes)));
}

/** Decodes the bytes of a document that is text. */
export async function textOf(bytes: Uint8Array): Promise<string> {
  const encoding = await detectEncoding(bytes, true);
  if (!encoding) throw damaged("it is not text");
  return decode(bytes, encoding.label).replace(/^\uFEFF/, "");
}
