import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { Entry } from "../../storage/storage.ts";
import { scopeMatcher } from "./search-scope.ts";
import type { SearchScope, SearchStart } from "./search.ts";
import type { View } from "../view.ts";
import { walk } from "../walk/walk.ts";

/** Places that a search passes over because somebody would have to say yes first. */
export interface HiddenByPolicy {
  readonly count: number;
  /** There may be more of them: not every directory was looked at. */
  readonly isPartial: boolean;
}

export const NOTHING_HIDDEN: HiddenByPolicy = { count: 0, isPartial: false };

/**
 * Counts them by their names, which everybody may list, and never by what is in them: that one of them matches must not be
 * told before the yes. Looks at the nearest directories only, beside a search that takes longer.
 */
export async function countHidden(view: View, start: SearchStart, scope: SearchScope): Promise<HiddenByPolicy> {
  if (start.kind === "file") return NOTHING_HIDDEN;
  const { exclude, includeIgnored } = scope;
  const { entryMatcher: within, enters, includeHidden } = scopeMatcher(scope);
  const budget = { directories: LIMITS.hiddenDirectories };
  const options = { exclude, includeIgnored, includeHidden, order: "near", enters, budget } as const;
  let count = 0;
  const walked = await walk(
    { ...view, progress: () => {} },
    start.place,
    options,
    ({ place, relativePath, entries }) => {
      const fits = within(relativePath);
      const isSought = (entry: Entry): boolean =>
        entry.kind === "directory"
          ? enters(relativePath === "" ? entry.name : `${relativePath}/${entry.name}`)
          : fits(entry);
      for (const entry of entries)
        if (entry.kind !== "symlink" && isSought(entry) && !view.mayOpen(childOf(place, entry.name))) count++;
    },
  );
  return { count, isPartial: walked.stopped !== undefined };
}

export const addHidden = (one: HiddenByPolicy, other: HiddenByPolicy): HiddenByPolicy => ({
  count: one.count + other.count,
  isPartial: one.isPartial || other.isPartial,
});
