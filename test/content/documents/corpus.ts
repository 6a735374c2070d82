import { readFileSync } from "node:fs";
import type { DocumentKind, DocumentPage, DocumentRequest } from "../../../src/content/documents/document.ts";
import { readDocumentPage } from "../../../src/content/documents/document-page.ts";
import { openDocument } from "../../../src/content/documents/open-document.ts";

export const corpusFile = (name: string): Buffer => readFileSync(new URL(`../corpus/${name}`, import.meta.url));

/** Reads a document in this process, as the worker does. */
export async function pageOf(
  bytes: Uint8Array,
  kind: DocumentKind,
  request: Partial<DocumentRequest> = {},
): Promise<DocumentPage> {
  const document = await openDocument(new Uint8Array(bytes), kind);
  try {
    return await readDocumentPage(document, { chars: Infinity, ...request });
  } finally {
    document.close?.();
  }
}

export const textsOf = ({ parts }: DocumentPage): readonly string[] => parts.map(({ text }) => text);
