import { linesOf, type OpenDocument } from "./document.ts";
import { loadHtmlToMarkdown } from "./html-to-markdown.ts";
import { fromLibrary } from "./library.ts";
import { nodesNamed, parseXml, textIn } from "./xml.ts";
import { checkUnpackedSize, damaged, openZip, type ZipFile } from "./zip.ts";

/** Opens a Word document as Markdown. Images are named by their text; comments, headers and footers follow the text. */
export async function openDocx(bytes: Uint8Array): Promise<OpenDocument> {
  await checkUnpackedSize(bytes);
  const { default: mammoth } = await fromLibrary("mammoth", () => import("mammoth"));
  const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
  const { value } = await mammoth
    .convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) },
      { convertImage, styleMap: STYLES },
    )
    .catch((error: unknown) => {
      throw damaged(`it is no valid DOCX (${String(error).slice(0, 100)})`);
    });
  const toMarkdown = await loadHtmlToMarkdown();
  return linesOf([toMarkdown(value), ...marginTexts(await openZip(bytes))].join("\n\n"));
}

/** Adds to what the library does: titles are headings, and comments are not left out. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => h2:fresh",
  "comment-reference => sup",
];

/** Returns the text of headers and footers, each once; the library does not read them. */
function marginTexts(zip: ZipFile): readonly string[] {
  const texts = zip.names.flatMap((name) => {
    const [, kind] = /^word\/(header|footer)\d*\.xml$/.exec(name) ?? [];
    if (kind === undefined) return [];
    const paragraphs = nodesNamed(parseXml(zip.text(name)), "p").map((each) =>
      nodesNamed(each, "t").map(textIn).join(""),
    );
    const text = paragraphs.filter((each) => each.trim() !== "").join(" ");
    return text === "" ? [] : [`${kind === "header" ? "Header" : "Footer"}: ${text}`];
  });
  return [...new Set(texts)];
}
