import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { View } from "../../workspace/view.ts";
import { walk } from "../../workspace/walk/walk.ts";
import { needsNoApproval } from "../../base/verdicts.ts";
import type { Rules } from "../rules/rules.ts";

/** Lists the places below some roots that the rules do not let a call read freely. */
export interface ClosedPlaces {
  readonly places: readonly SafePath[];
  /** Is false where there were too many entries to look at all of them. */
  readonly isComplete: boolean;
}

/** Finds closed places. The last answer holds for a minute: a look at 50,000 files takes 150 ms, a command 40. */
export interface ClosedPlacesFinder {
  find(rules: Rules, view: View, roots: readonly SafePath[]): Promise<ClosedPlaces>;
}

export function createClosedPlacesFinder(nowMs: () => number = Date.now): ClosedPlacesFinder {
  let last: { readonly rules: Rules; readonly untilMs: number; readonly found: Promise<ClosedPlaces> } | undefined;
  return {
    async find(rules, view, roots) {
      if (last?.rules === rules && nowMs() < last.untilMs) return last.found;
      const found = closedPlacesIn(rules, view, roots);
      last = { rules, untilMs: nowMs() + LIMITS.closedPlacesMs, found };
      found.catch(() => (last = undefined));
      return found;
    },
  };
}

/** Looks at every entry below the roots. A closed directory counts as a whole. */
async function closedPlacesIn(rules: Rules, view: View, roots: readonly SafePath[]): Promise<ClosedPlaces> {
  const places = new Set<SafePath>();
  let isComplete = true;
  for (const root of roots) {
    for (const guarded of rules.blockedDirectoriesBelow(root)) places.add(guarded as SafePath);
    const { stopped } = await walk(view, root, EVERYTHING, ({ place, entries }) => {
      for (const { name } of entries) {
        const each = childOf(place, name);
        if (isClosed(rules, each)) places.add(each);
      }
      return true;
    });
    if (stopped) isComplete = false;
  }
  return { places: [...places], isComplete };
}

const isClosed = (rules: Rules, place: SafePath): boolean =>
  rules.mayBe("approval", place) && !needsNoApproval(rules.decide({ act: "read", place }).verdict);

const EVERYTHING = {
  exclude: [],
  includeIgnored: true,
  includeHidden: true,
  order: "deep",
  budget: { entries: LIMITS.checkedTreeEntries },
} as const;
