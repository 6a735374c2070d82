import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { versionOfFacts } from "../../../base/version.ts";
import { bytesOf } from "../../../content/byte-source.ts";
import type { DocumentPage } from "../../../content/documents/document.ts";
import { binaryDocumentKind } from "../../../content/documents/document-kind.ts";
import { createTextCache, type DocumentText } from "../../../content/documents/text-cache.ts";
import type { Facts, OpenFile } from "../../../storage/storage.ts";
import { sourceOfFile } from "../../../workspace/read/scan.ts";
import type { View } from "../../../workspace/view.ts";

/** A document that is to be searched. */
export interface SearchedDocument {
  readonly facts: Facts;
  readonly text: DocumentText;
}

const texts = createTextCache();

/** Returns the text of a document if it is cached. */
export const cachedTextOf = (facts: Facts): DocumentText | undefined => texts.get(versionOfFacts(facts));

/** Returns the text of a file if it is a document. A text is used again while the file has the same inode and times. */
export async function documentTextOf(file: OpenFile, view: View): Promise<SearchedDocument | undefined> {
  const real = file.original ?? file;
  const { facts } = real;
  const key = versionOfFacts(facts);
  const cached = cachedTextOf(facts);
  if (cached) return { facts, text: cached };
  const source = sourceOfFile(real);
  const kind = await binaryDocumentKind(source);
  if (kind === undefined || kind === "ole") return undefined;
  if (facts.size > LIMITS.documentBytes)
    throw new Fault("too_large", `Cannot read the document: it has more than ${LIMITS.documentBytes} bytes`);
  const { readInWorker } = await import("../../../content/documents/worker/document-worker.ts");
  const page = await readInWorker(
    { kind, key, bytes: () => bytesOf(source), checkpoint: view.checkpoint },
    { chars: LIMITS.documentTextChars, isSearch: true },
  );
  const text = textFrom(page);
  if (Date.now() - facts.modifiedMs > LIMITS.coarseClockTickMs) texts.set(key, text);
  return { facts, text };
}

function textFrom({ unit, parts }: DocumentPage): DocumentText {
  const units: { line: number; name: string }[] = [];
  let line = 1;
  for (const { number, title, text } of parts) {
    const name = unit === "line" || unit === "row" ? title : `${unit} ${number}`;
    if (name !== undefined && units.at(-1)?.name !== name) units.push({ line, name });
    line += text.split("\n").length;
  }
  return { bytes: Buffer.from(parts.map(({ text }) => `${text.replaceAll("\r\n", "\n")}\n`).join("")), units };
}
