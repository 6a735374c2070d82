import { collectMatches, type CollectedMatches, type MatchBudget } from "../../../workspace/search/matches.ts";
import { NOTHING_HIDDEN } from "../../../workspace/search/hidden-by-policy.ts";
import { searchAll } from "../../../workspace/search/search-all.ts";
import type { Query } from "../../../workspace/search/search.ts";
import type { View } from "../../../workspace/view.ts";
import {
  countDocuments,
  type DocumentCount,
  findDocuments,
  NO_DOCUMENTS,
  searchDocuments,
  searchNamedDocument,
} from "./documents.ts";
import type { GrepInput } from "./input.ts";

/** Everything that a call found, and the documents that it did not look into. */
export interface GrepMatches extends CollectedMatches {
  readonly unsearchedDocuments: DocumentCount;
}

/**
 * Searches files, and documents where one is named or all are requested. Matches in documents have no place in the
 * order of paths, so that a search in that order only counts them.
 */
export async function collectGrep(
  view: View,
  args: GrepInput,
  query: Query,
  budget: MatchBudget,
): Promise<GrepMatches> {
  const { path, documents } = args;
  const searchesThem = documents && budget.after === undefined;
  let unsearchedDocuments = NO_DOCUMENTS;
  const matches = await collectMatches(view, budget, async (report) => {
    if (await searchNamedDocument(view, path, query, report)) return NOTHING_HIDDEN;
    let goesOn = true;
    // They run concurrently. All are waited for even if one fails, so that no work outlives the call.
    const [searched, found, counted] = await Promise.allSettled([
      searchAll(view, path, query, (each) => (goesOn = report(each))),
      searchesThem ? findDocuments(view, path, query) : undefined,
      searchesThem ? undefined : countDocuments(view, path, query),
    ]);
    if (searched.status === "rejected") throw searched.reason;
    if (found.status === "rejected") throw found.reason;
    if (counted.status === "rejected") throw counted.reason;
    unsearchedDocuments = counted.value ?? NO_DOCUMENTS;
    if (found.value && goesOn) await searchDocuments(found.value, query, view, report);
    return searched.value;
  });
  return { ...matches, unsearchedDocuments };
}

export const documentData = ({ count }: DocumentCount) => (count > 0 ? { documents_not_searched: count } : {});

export function documentNotes({ count, isPartial }: DocumentCount): readonly string[] {
  if (count === 0) return [];
  const least = isPartial ? "at least " : "";
  return [`Not searched: ${least}${count} ${count === 1 ? "document" : "documents"} such as PDF; name one as path`];
}
