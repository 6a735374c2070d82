import { Fault } from "../../base/errors.ts";

/** Lists the packages that read documents, with the formats that need each. All of them are optional. */
export const DOCUMENT_LIBRARIES = {
  "@hyzyla/pdfium": "PDF",
  mammoth: "DOCX",
  turndown: "DOCX, EPUB and HTML",
  hucre: "XLSX, XLS, XLSB and ODS",
} as const;

export type DocumentLibrary = keyof typeof DOCUMENT_LIBRARIES;

/** Loads an optional package, or says how to install it. */
export async function fromLibrary<Library>(name: DocumentLibrary, load: () => Promise<Library>): Promise<Library> {
  try {
    return await load();
  } catch (error) {
    throw new Fault(
      "not_text",
      `Cannot read ${DOCUMENT_LIBRARIES[name]} files: the package ${name} is not installed`,
      { hint: `Ask the user to run: npm install ${name}` },
      error,
    );
  }
}
