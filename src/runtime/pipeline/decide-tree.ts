import { LIMITS } from "../../base/limits.ts";
import { childOf, relativeWithSlash } from "../../base/paths.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import { isStricter } from "../../base/verdicts.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { View, AccessCallbacks } from "../../workspace/view.ts";
import { type VisitedDirectory, walk } from "../../workspace/walk/walk.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { decideOne, type TreePermissionRequest, strictestWithin } from "./permission-requests.ts";
import { type Decision, strictestDecision, type Rules } from "../rules/rules.ts";

/** What is decided about several wants together, and which of them need a yes. */
export interface CallDecision {
  readonly decision: Decision;
  readonly needApproval: readonly TreePermissionRequest[];
}

/** What is decided about all of this. Trees are looked into only where a rule might say more about something in them. */
export async function decideAll(
  rules: Rules,
  requests: readonly TreePermissionRequest[],
  workspace: Workspace,
  signal: Cancellation,
): Promise<CallDecision> {
  const view = (): View => unrestrictedView(workspace, signal);
  const decisions = await Promise.all(requests.map((each) => decideWithin(rules, each, view)));
  return {
    decision: strictestDecision(decisions),
    needApproval: requests.filter((_, nth) => decisions[nth]?.verdict === "approval"),
  };
}

async function decideWithin(rules: Rules, want: TreePermissionRequest, look: () => View): Promise<Decision> {
  const so = decideOne(rules, want);
  if (want.tree === undefined && !want.isUnseen) return so;
  const worst = strictestWithin(rules, want);
  if (!isStricter(worst, so.verdict)) return so;
  if (want.tree === undefined) return strictestDecision([so, { verdict: worst, reasons: [UNREADABLE_REASON] }]);
  return decideTree(rules, { ...want, tree: want.tree }, so, look());
}

const UNREADABLE_REASON = "something in it might be concerned by a rule, and cannot be looked at";

/** Everything in a tree, one by one, until it cannot get any stricter. */
async function decideTree(
  rules: Rules,
  want: TreePermissionRequest & { readonly tree: string },
  top: Decision,
  view: View,
): Promise<Decision> {
  const { tree, place, carriedTo } = want;
  const facts = await view.look(tree, "keep");
  if (facts?.kind !== "directory") return facts?.kind === "symlink" ? withGuardsBelow(rules, want, top) : top;
  const worst = strictestWithin(rules, want);
  let so = top;
  const visit = ({ relativePath, entries }: VisitedDirectory): boolean => {
    for (const { name, kind } of entries) {
      const within = (base: string): string => childOf(base, relativeWithSlash(relativePath, name));
      const inner = {
        ...want,
        isInTree: true,
        place: within(place),
        ...(carriedTo && { carriedTo: within(carriedTo) }),
      };
      const own = decideOne(rules, inner);
      const decision = kind === "symlink" ? withGuardsBelow(rules, inner, own) : own;
      if (isStricter(decision.verdict, so.verdict))
        so = { ...decision, reasons: reasonsNaming(decision, view, within(tree)) };
      if (so.verdict === worst) return false;
    }
    return true;
  };
  const { unreadable, stopped } = await walk(view, tree, WALK_EVERYTHING, visit);
  return unreadable > 0 || stopped ? strictestDecision([so, { verdict: worst, reasons: [UNREADABLE_REASON] }]) : so;
}

/** Nobody looks behind a link: who puts one on the way to a guarded place, or takes it away, changes what is there. */
const withGuardsBelow = (rules: Rules, { act, place }: TreePermissionRequest, own: Decision): Decision =>
  strictestDecision([own, ...rules.guardDecisionsBelow(act, place)]);

const WALK_EVERYTHING = {
  exclude: [],
  includeIgnored: true,
  includeHidden: true,
  order: "deep",
  budget: { entries: LIMITS.checkedTreeEntries },
} as const;

const reasonsNaming = ({ reasons }: Decision, view: View, place: string): readonly string[] =>
  reasons.map((reason) => `${JSON.stringify(view.nameOf(place as SafePath))}: ${reason}`);

/** Sees what a call may not: only decisions come of it. */
export const unrestrictedView = (
  workspace: Workspace,
  signal: Cancellation,
  sees: Pick<AccessCallbacks, "redactedFile" | "onRecall"> = {},
): View =>
  workspace.view({
    ...sees,
    checkAccess: () => {},
    mayOpen: () => true,
    mayHideBelow: () => false,
    deniedBelow: () => [],
    signal,
    progress: () => {},
  });
