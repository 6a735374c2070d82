import { needsNoApproval } from "../../base/verdicts.ts";
import { createTreeCache, type TreeCache } from "../../exec/sandbox/tree-cache.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { View } from "../../workspace/view.ts";
import type { Rules } from "../rules/rules.ts";

/** Finds the places below some roots that the rules do not let a call read freely, as they are at this moment. */
export interface ClosedPlacesFinder {
  find(rules: Rules, view: Pick<View, "checkpoint">, roots: readonly SafePath[]): Promise<readonly SafePath[]>;
}

export function createClosedPlacesFinder(): ClosedPlacesFinder {
  let last: { readonly rules: Rules; readonly tree: TreeCache } | undefined;
  return {
    async find(rules, { checkpoint }, roots) {
      // Which names a rule is about is fixed with the rules; what it decides changes with the time.
      if (last?.rules !== rules) last = { rules, tree: createTreeCache((path) => rules.mayBe("approval", path)) };
      const isClosed = (place: string): boolean => !needsNoApproval(rules.decide({ act: "read", place }).verdict);
      const found = await last.tree.matching(roots, isClosed, checkpoint);
      const guarded = roots.flatMap((root) => rules.blockedDirectoriesBelow(root));
      return [...new Set([...guarded, ...found])] as SafePath[];
    },
  };
}
