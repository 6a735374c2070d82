import { needsNoApproval } from "../../base/verdicts.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { PathPolicy } from "../../workspace/view.ts";
import type { Decision } from "../rules/decision.ts";
import type { Rules } from "../rules/rules.ts";
import type { AccessContext } from "../pipeline/access-context.ts";
import { refusalFault } from "../pipeline/refusals.ts";

/**
 * Applies the rules of each moment to a watch, which outlives the call that began it. A place that somebody said yes to
 * stays open until a rule blocks it.
 */
export function createLivePathPolicy(
  rules: () => Rules,
  { rules: initialRules, needsApproval }: AccessContext,
  approvedPlace: SafePath,
): PathPolicy {
  const decide = (place: SafePath): Decision => rules().decide({ act: "read", place });
  // The fast path: a watch asks about tens of thousands of directories, and no decision need be cached for them.
  const isSurelyFree = (place: SafePath): boolean => !rules().mayBe("approval", place);
  const wasAllowed = (place: SafePath): boolean =>
    place === approvedPlace ||
    (initialRules.decide({ act: "read", place }).verdict === "approval" && !needsApproval(place));
  const isOpen = (place: SafePath, { verdict }: Decision): boolean =>
    needsNoApproval(verdict) || (verdict === "approval" && wasAllowed(place));
  return {
    checkAccess(place, how, spelled = place) {
      if (isSurelyFree(place)) return;
      const decision = decide(place);
      if (decision.verdict === "blocked" || (how === "open" && !isOpen(place, decision)))
        throw refusalFault("denied", spelled, decision);
    },
    mayOpen: (place) => isSurelyFree(place) || isOpen(place, decide(place)),
    mayHideBelow: (directory) => rules().mayHideBelow(directory),
    deniedBelow: (directory) => rules().blockedDirectoriesBelow(directory) as readonly SafePath[],
  };
}
