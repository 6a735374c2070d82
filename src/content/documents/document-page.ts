import { LIMITS } from "../../base/limits.ts";
import type { DocumentPage, DocumentPart, DocumentRequest, OpenDocument } from "./document.ts";

/** Reads the units that were requested, up to the one that fills the page. */
export async function readDocumentPage(document: OpenDocument, request: DocumentRequest): Promise<DocumentPage> {
  const { unit, total, head, notes, first = 1, part } = await document.units(request);
  const { from = first, to = total } = request;
  const start = Math.max(first, from < 0 ? total + 1 + from : from);
  const parts: DocumentPart[] = [];
  let [chars, images] = [0, 0];
  for (let number = start; number <= Math.min(total, to); number++) {
    const next = await part(number);
    parts.push(next);
    chars += next.text.length + 1;
    images += next.images?.length ?? 0;
    if (chars >= request.chars || images >= LIMITS.pageImages) break;
  }
  return { unit, total, head, notes, parts };
}
