import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { Entry } from "../../storage/storage.ts";
import { scopeMatcher } from "./search-scope.ts";
import type { SearchScope, SearchStart } from "./search.ts";
import type { View } from "../view.ts";
import { walk } from "../walk/walk.ts";

/** Counts the entries that a search skips because opening them needs an approval. */
export interface HiddenByPolicy {
  readonly count: number;
  /** Is true if not every directory was visited, so that the count is a lower bound. */
  readonly isPartial: boolean;
}

export const NOTHING_HIDDEN: HiddenByPolicy = { count: 0, isPartial: false };

/**
 * Counts entries by name, which anyone may list, and never by content: without an approval nobody may learn that one of
 * them matches. Visits only the nearest directories, so that it ends before the search it runs beside.
 */
export async function countHidden(view: View, start: SearchStart, scope: SearchScope): Promise<HiddenByPolicy> {
  if (start.kind === "file") return NOTHING_HIDDEN;
  const { exclude, includeIgnored } = scope;
  const { entryMatcher, enters, includeHidden } = scopeMatcher(scope);
  const budget = { directories: LIMITS.hiddenDirectories };
  const options = { exclude, includeIgnored, includeHidden, order: "near", enters, budget } as const;
  let count = 0;
  const walked = await walk(
    { ...view, progress: () => {} },
    start.place,
    options,
    ({ place, relativePath, entries }) => {
      const fits = entryMatcher(relativePath);
      const isInScope = (entry: Entry): boolean =>
        entry.kind === "directory"
          ? enters(relativePath === "" ? entry.name : `${relativePath}/${entry.name}`)
          : fits(entry);
      for (const entry of entries)
        if (entry.kind !== "symlink" && isInScope(entry) && !view.mayOpen(childOf(place, entry.name))) count++;
    },
  );
  return { count, isPartial: walked.stopped !== undefined };
}

export const addHidden = (one: HiddenByPolicy, other: HiddenByPolicy): HiddenByPolicy => ({
  count: one.count + other.count,
  isPartial: one.isPartial || other.isPartial,
});
