import { LIMITS } from "../../base/limits.ts";
import { pathKey } from "../../base/paths.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { FileHits, Hit, ReportHits, Unsearched } from "./search.ts";
import type { HiddenByPolicy } from "./hidden-by-policy.ts";
import type { View } from "../view.ts";

/** Holds all matches of one file. */
export interface FileMatches {
  readonly place: SafePath;
  readonly modifiedMs: number;
  readonly isBinary: boolean;
  readonly isDocument?: boolean;
  count: number;
  hits: Hit[];
}

export interface CollectedMatches {
  readonly files: readonly FileMatches[];
  readonly unsearched: readonly Unsearched[];
  /** Counts what could not be searched either, and is not listed. */
  readonly moreUnsearched: number;
  readonly total: number;
  /** Is false when the budget ended the search. */
  readonly isComplete: boolean;
  readonly hiddenByPolicy: HiddenByPolicy;
}

export interface MatchBudget {
  readonly matches: number;
  /** Limits the total number of characters of the lines. */
  readonly chars: number;
  /** Skips everything up to this line of this file, in the order of paths. */
  readonly after?: { readonly place: string; readonly line: number } | undefined;
}

/** Collects what a search reports, until the budget is used up. */
export async function collectMatches(
  view: View,
  budget: MatchBudget,
  search: (report: ReportHits) => Promise<HiddenByPolicy>,
): Promise<CollectedMatches> {
  const files = new Map<SafePath, FileMatches>();
  const unsearched: Unsearched[] = [];
  let [total, chars, isComplete, moreUnsearched] = [0, 0, true, 0];
  const collect = (found: FileHits | Unsearched): boolean => {
    if ("unsearched" in found) {
      if (unsearched.length < LIMITS.placesListed) unsearched.push(found);
      else moreUnsearched++;
      return true;
    }
    const { place, modifiedMs, isBinary, isDocument = false } = found;
    const { hits, count } = budget.after ? hitsAfter(found, budget.after) : found;
    if (count === 0) return true;
    const known = files.get(place);
    // The text of a document replaces what its bytes matched.
    const file = known?.isBinary === isBinary ? known : { place, modifiedMs, isBinary, isDocument, count: 0, hits: [] };
    if (known && known !== file) total -= known.count;
    files.set(place, file);
    file.count += count;
    total += count;
    for (const hit of hits) {
      file.hits.push(hit);
      chars += hit.text.length;
    }
    view.progress(total);
    isComplete = total < budget.matches && chars < budget.chars;
    return isComplete;
  };
  const hiddenByPolicy = await search(collect);
  return { files: [...files.values()], unsearched, moreUnsearched, total, isComplete, hiddenByPolicy };
}

function hitsAfter({ place, hits, count, isBinary }: FileHits, after: NonNullable<MatchBudget["after"]>) {
  const order = comparePaths(place, after.place);
  if (order !== 0) return order < 0 ? { hits: [], count: 0 } : { hits, count };
  const later = hits.filter(({ line }) => line > after.line);
  return { hits: later, count: isBinary ? 0 : later.length };
}

export const comparePaths = (a: string, b: string): number => Buffer.compare(pathKey(a), pathKey(b));
