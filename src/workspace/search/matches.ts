import { LIMITS } from "../../base/limits.ts";
import { pathKey } from "../../base/paths.ts";
import type { SafePath } from "../../storage/storage.ts";
import { searchAll } from "./search-all.ts";
import type { FileHits, Hit, Query, Unsearched } from "./search.ts";
import type { HiddenByPolicy } from "./hidden-by-policy.ts";
import type { View } from "../view.ts";

/** Holds all matches of one file. */
export interface FileMatches {
  readonly place: SafePath;
  readonly modifiedMs: number;
  readonly isBinary: boolean;
  count: number;
  hits: Hit[];
}

export interface CollectedMatches {
  readonly files: readonly FileMatches[];
  readonly unsearched: readonly Unsearched[];
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

/** Searches until everything is found or the budget is used up. */
export async function collectMatches(
  view: View,
  path: string | undefined,
  query: Query,
  budget: MatchBudget,
): Promise<CollectedMatches> {
  const files = new Map<SafePath, FileMatches>();
  const unsearched: Unsearched[] = [];
  let [total, chars, isComplete] = [0, 0, true];
  const collect = (found: FileHits | Unsearched): boolean => {
    if ("unsearched" in found) {
      if (unsearched.length < LIMITS.placesListed) unsearched.push(found);
      return true;
    }
    const { place, modifiedMs, isBinary } = found;
    const { hits, count } = budget.after ? hitsAfter(found, budget.after) : found;
    if (count === 0) return true;
    const file = files.get(place) ?? { place, modifiedMs, isBinary, count: 0, hits: [] };
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
  const hiddenByPolicy = await searchAll(view, path, query, collect);
  return { files: [...files.values()], unsearched, total, isComplete, hiddenByPolicy };
}

function hitsAfter({ place, hits, count, isBinary }: FileHits, after: NonNullable<MatchBudget["after"]>) {
  const order = comparePaths(place, after.place);
  if (order !== 0) return order < 0 ? { hits: [], count: 0 } : { hits, count };
  const later = hits.filter(({ line }) => line > after.line);
  return { hits: later, count: isBinary ? 0 : later.length };
}

export const comparePaths = (a: string, b: string): number => Buffer.compare(pathKey(a), pathKey(b));
