import { deflateSync } from "node:zlib";

/** A PDF of one page with this content, which may be packed, and with these resources and further objects. */
function pdfOf(content: string, resources = "", ...objects: readonly string[]): Buffer {
  const packed = deflateSync(Buffer.from(content, "latin1")).toString("latin1");
  return pdfFrom([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<<${resources}>>>>`,
    streamOf(packed, "/Filter/FlateDecode"),
    ...objects,
  ]);
}

const streamOf = (content: string, entries = ""): string =>
  `<<${entries}/Length ${content.length}>>stream\n${content}\nendstream`;

/** Joins objects, which count from 1; the first one is the root. */
export function pdfFrom(objects: readonly string[]): Buffer {
  let text = "%PDF-1.4\n%\xff\xff\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}trailer<</Size ${size}/Root 1 0 R>>\n`;
  return Buffer.from(`${text}${table}startxref\n${text.length}\n%%EOF`, "latin1");
}

/** A PDF of a few kilobytes whose page draws a form that draws ten forms, and so on. */
export const nestedFormsPdf = (): Buffer =>
  pdfOf(
    "/F Do",
    "/XObject<</F 5 0 R>>",
    ...Array.from({ length: 20 }, (_, nth) =>
      streamOf(
        "/F Do ".repeat(10),
        `/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</XObject<</F ${nth + 6} 0 R>>>>`,
      ),
    ),
    streamOf("0 0 100 100 re f", "/Type/XObject/Subtype/Form/BBox[0 0 600 800]"),
  );
