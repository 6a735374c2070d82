import { openSearchStart, searchRootsFor } from "./search-start.ts";
import type { Query, SearchStart, ReportHits } from "./search.ts";
import { addHidden, countHidden, NOTHING_HIDDEN, type HiddenByPolicy } from "./hidden-by-policy.ts";
import type { View } from "../view.ts";

/** Searches a path, or every root without one, until `report` returns false. Returns the count of skipped entries. */
export async function searchAll(
  view: View,
  path: string | undefined,
  query: Query,
  report: ReportHits,
): Promise<HiddenByPolicy> {
  let goesOn = true;
  let hiddenByPolicy = NOTHING_HIDDEN;
  const reportUntilDone: ReportHits = (found) => (goesOn = report(found));
  for (const start of searchRootsFor(view, path)) {
    if (!goesOn) break;
    hiddenByPolicy = addHidden(
      hiddenByPolicy,
      await searchAndCount(view, await openSearchStart(view, start), query, reportUntilDone),
    );
  }
  return hiddenByPolicy;
}

/** Runs search and count concurrently, and waits for both even if one fails, so that no work outlives the call. */
async function searchAndCount(
  view: View,
  start: SearchStart,
  query: Query,
  report: ReportHits,
): Promise<HiddenByPolicy> {
  const both = [view.search(start, query, report), countHidden(view, start, query)] as const;
  const [searched, counted] = await Promise.allSettled(both);
  if (searched.status === "rejected") throw searched.reason;
  if (counted.status === "rejected") throw counted.reason;
  return counted.value;
}
