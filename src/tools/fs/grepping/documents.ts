import { isFault } from "../../../base/errors.ts";
import { childOf } from "../../../base/paths.ts";
import { LIMITS } from "../../../base/limits.ts";
import { DOCUMENT_NAME } from "../../../content/documents/document-names.ts";
import type { SafePath } from "../../../storage/storage.ts";
import { searchFile } from "../../../workspace/search/search-file.ts";
import { scopeMatcher } from "../../../workspace/search/search-scope.ts";
import { openSearchStart, searchRootsFor } from "../../../workspace/search/search-start.ts";
import type { FileHits, Hit, Query, ReportHits, Unsearched } from "../../../workspace/search/search.ts";
import { sourceOfBytes } from "../../../workspace/read/scan.ts";
import type { View } from "../../../workspace/view.ts";
import { walk } from "../../../workspace/walk/walk.ts";
import { cachedTextOf, documentTextOf, type SearchedDocument } from "./document-text.ts";

/** Counts documents below a directory that were not searched. */
export interface DocumentCount {
  readonly count: number;
  /** Is true if there may be more. */
  readonly isPartial: boolean;
}

export const NO_DOCUMENTS: DocumentCount = { count: 0, isPartial: false };

/** Searches a document that the caller names. Returns false for any other file, and for a directory. */
export async function searchNamedDocument(
  view: View,
  path: string | undefined,
  query: Query,
  report: ReportHits,
): Promise<boolean> {
  if (path === undefined) return false;
  const start = await openSearchStart(view, path);
  if (start.kind !== "file") return false;
  const document = await view.withFile(path, (file) => documentTextOf(file, view));
  if (!document) return false;
  await searchDocument(document, query, view, report);
  return true;
}

/** The documents below a path that are to be searched. */
export interface FoundDocuments {
  /** Have a cached text. It only tells which of them are worth opening. */
  readonly cached: readonly { readonly place: SafePath; readonly bytes: Buffer }[];
  readonly others: readonly SafePath[];
  readonly isComplete: boolean;
}

/** Finds the documents below a path, and those texts of them that are cached. */
export async function findDocuments(view: View, path: string | undefined, query: Query): Promise<FoundDocuments> {
  const { places, isComplete } = await documentsBelow(view, path, query, query.ms);
  const cached: { place: SafePath; bytes: Buffer }[] = [];
  const others: SafePath[] = [];
  for (const place of places) {
    const pause = view.checkpoint();
    if (pause) await pause;
    const facts = await view.stat(place, "follow").catch(nullUnlessCancelled);
    const text = facts && cachedTextOf(facts);
    if (text) cached.push({ place, bytes: text.bytes });
    else others.push(place);
  }
  return { cached, others, isComplete };
}

/** Searches documents: first what is cached, in one run. Those that cannot be read are reported. */
export async function searchDocuments(
  { cached, others, isComplete }: FoundDocuments,
  query: Query,
  view: View,
  report: ReportHits,
): Promise<void> {
  const texts = cached.map(({ bytes }) => bytes);
  for await (const number of view.candidateTexts(texts, query)) {
    const document = cached[number];
    if (document && !(await searchFound(document.place, query, view, report))) return;
  }
  for (const place of others) if (!(await searchFound(place, query, view, report))) return;
  const last = others.at(-1) ?? cached.at(-1)?.place;
  if (!isComplete && last !== undefined) report({ place: last, unsearched: NOT_ALL });
}

const NOT_ALL = "not all documents were searched; search a narrower path or pass a glob";

/** Opens and searches a document that a walk found. Returns false if that is enough. */
async function searchFound(place: SafePath, query: Query, view: View, report: ReportHits): Promise<boolean> {
  const pause = view.checkpoint();
  if (pause) await pause;
  const document = await openedDocument(view, place);
  if (document === undefined) return true;
  return "unsearched" in document ? report(document) : searchDocument(document, query, view, report);
}

/** Opens a document that a walk found. Says why its text cannot be read; a file that cannot be opened is left out. */
async function openedDocument(view: View, place: SafePath): Promise<SearchedDocument | Unsearched | undefined> {
  const reasonOf = (error: unknown): Unsearched => {
    if (!isFault(error) || error.code === "cancelled") throw error;
    return { place, unsearched: error.message.replace(/^Cannot read the document: /, "") };
  };
  const opened = view.withFile(place, (file) => documentTextOf(file, view).catch(reasonOf));
  return (await opened.catch(nullUnlessCancelled)) ?? undefined;
}

/** Leaves out what cannot be opened: one such file must not fail the whole search. */
function nullUnlessCancelled(error: unknown): null {
  if (!isFault(error) || error.code === "cancelled") throw error;
  return null;
}

/** Counts documents within a short time, while something else searches. */
export async function countDocuments(view: View, path: string | undefined, query: Query): Promise<DocumentCount> {
  const { places, isComplete } = await documentsBelow(view, path, query, LIMITS.documentCountMs);
  return places.length === 0 ? NO_DOCUMENTS : { count: places.length, isPartial: !isComplete };
}

/** Finds documents by their names; only their bytes decide what they are. */
async function documentsBelow(view: View, path: string | undefined, query: Query, ms: number) {
  const places: SafePath[] = [];
  let isComplete = true;
  const { exclude, includeIgnored } = query;
  const { entryMatcher, enters, includeHidden } = scopeMatcher(query);
  for (const each of searchRootsFor(view, path)) {
    const start = await openSearchStart(view, each);
    if (start.kind === "file") continue;
    const options = { exclude, includeIgnored, includeHidden, order: "deep", enters, budget: { ms } } as const;
    const walked = await walk(view, start.place, options, ({ place, relativePath, entries }) => {
      const fits = entryMatcher(relativePath);
      for (const entry of entries)
        if (entry.kind === "file" && !entry.raw && DOCUMENT_NAME.test(entry.name) && fits(entry))
          places.push(childOf(place, entry.name));
      return places.length < LIMITS.documentsPerSearch;
    });
    isComplete &&= walked.stopped === undefined && places.length < LIMITS.documentsPerSearch;
  }
  return { places, isComplete };
}

/** Searches the text of a document as if it were a file. Each hit names its unit. Returns false if that is enough. */
async function searchDocument({ facts, text }: SearchedDocument, query: Query, view: View, report: ReportHits) {
  const plain = text.bytes.toString("utf8");
  if (!query.pattern.mayBeIn(plain)) return true;
  view.noteDocumentText(facts.path, plain);
  const bytes = withoutSecrets(plain, view) ?? text.bytes;
  const file = { facts: { ...facts, size: bytes.length }, read: sourceOfBytes(bytes).read, bytes };
  const withUnits = (found: FileHits): FileHits => ({
    ...found,
    isDocument: true,
    hits: found.hits.map((hit) => withUnit(hit, text.units)),
  });
  return searchFile(file, query, view, (found) => report("unsearched" in found ? found : withUnits(found)));
}

/** Blanks known secrets, so that no pattern can find out about them. Returns undefined if there are none. */
function withoutSecrets(text: string, view: View): Buffer | undefined {
  const ranges = view.uncuttableRanges(text);
  if (ranges.length === 0) return undefined;
  const units = text.split("");
  for (const { start, end } of ranges) units.fill("*", start, end);
  return Buffer.from(units.join(""));
}

function withUnit(hit: Hit, units: SearchedDocument["text"]["units"]): Hit {
  const unit = units.findLast(({ line }) => line <= hit.line);
  if (!unit || hit.text === "") return hit;
  const prefix = `[${unit.name}] `;
  return { ...hit, text: prefix + hit.text, start: hit.start + prefix.length, end: hit.end + prefix.length };
}
