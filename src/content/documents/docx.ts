import { linesOf, type OpenDocument } from "./document.ts";
import { loadHtmlToMarkdown } from "./html-to-markdown.ts";
import { fromLibrary } from "./library.ts";
import { checkUnpackedSize, damaged } from "./zip.ts";

/** Opens a Word document as Markdown. Images are named by their text. */
export async function openDocx(bytes: Uint8Array): Promise<OpenDocument> {
  await checkUnpackedSize(bytes);
  const { default: mammoth } = await fromLibrary("mammoth", () => import("mammoth"));
  const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
  const { value } = await mammoth
    .convertToHtml({ buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) }, { convertImage })
    .catch((error: unknown) => {
      throw damaged(`it is no valid DOCX (${String(error).slice(0, 100)})`);
    });
  const toMarkdown = await loadHtmlToMarkdown();
  return linesOf(toMarkdown(value));
}
