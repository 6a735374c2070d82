// Makes the documents that are measured, and their text, as other programs would.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync, deflateSync } from "node:zlib";
import { hugeLine } from "./corpus.mjs";

const LINES_PER_PAGE = 40;

/** Returns the lines of one page; no two pages have the same. */
export const pageLines = (page) =>
  Array.from({ length: LINES_PER_PAGE }, (_, nth) => hugeLine(page * LINES_PER_PAGE + nth + 1).trimEnd());

/** Writes so many documents below one directory, half of them PDF and half ODT, and their text below another. */
export function writeDocuments({ documents, texts, count, pages, word }) {
  for (const directory of [documents, texts]) mkdirSync(directory, { recursive: true });
  for (let nth = 0; nth < count; nth++) {
    const rare = nth % RARE === 0 ? [`${word} ${nth}`] : [];
    const all = Array.from({ length: pages }, (_, page) => [...pageLines(nth * pages + page), ...rare]);
    const isPdf = nth % 2 === 0;
    writeFileSync(join(documents, `document-${nth}.${isPdf ? "pdf" : "odt"}`), isPdf ? pdfOf(all) : odtOf(all.flat()));
    writeFileSync(join(texts, `document-${nth}.txt`), `${all.flat().join("\n")}\n`);
  }
}

const RARE = 100;

/** Writes a PDF with one font, whose pages are packed. */
export function pdfOf(pages) {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, nth) => `${4 + 2 * nth} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((lines, nth) => pageObjects(lines, nth)),
  ];
  const parts = [Buffer.from("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  const offsets = [];
  let at = parts[0]?.length ?? 0;
  for (const [nth, object] of objects.entries()) {
    offsets.push(at);
    const part = Buffer.concat([Buffer.from(`${nth + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")]);
    parts.push(part);
    at += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}${end}`)]);
}

function pageObjects(lines, nth) {
  const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, "\\$&")}) Tj T*`).join("\n");
  const packed = deflateSync(`BT /F1 9 Tf 14 TL 40 800 Td\n${shown}\nET`);
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * nth} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    Buffer.concat([
      Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
      packed,
      Buffer.from("\nendstream"),
    ]),
  ];
}

const odtOf = (lines) =>
  zipOf([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.text", isStored: true },
    {
      name: "content.xml",
      content: `${ODT_START}${lines.map((line) => `<text:p>${line}</text:p>`).join("")}${ODT_END}`,
    },
  ]);

const NAMES = "urn:oasis:names:tc:opendocument:xmlns";
const ODT_START = `<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="${NAMES}:office:1.0" xmlns:text="${NAMES}:text:1.0"><office:body><office:text>`;
const ODT_END = "</office:text></office:body></office:document-content>";

function zipOf(entries) {
  const locals = [];
  const records = [];
  let offset = 0;
  for (const { name, content, isStored = false } of entries) {
    const bytes = Buffer.from(content);
    const packed = isStored ? bytes : deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(isStored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, Buffer.from(name), packed]);
    const record = Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\0"), fields, Buffer.alloc(14), Buffer.from(name)]);
    record.writeUInt32LE(offset, 42);
    locals.push(local);
    records.push(record);
    offset += local.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  for (const at of [8, 10]) end.writeUInt16LE(entries.length, at);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
