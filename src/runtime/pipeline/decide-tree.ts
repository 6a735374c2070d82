import { LIMITS } from "../../base/limits.ts";
import { childOf, relativeWithSlash } from "../../base/paths.ts";
import { STORE_NAME } from "../../base/product.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import { isStricter, type Verdict } from "../../base/verdicts.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { View } from "../../workspace/view.ts";
import { type VisitedDirectory, walk } from "../../workspace/walk/walk.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Decision } from "../rules/decision.ts";
import { strictestDecision, type Rules } from "../rules/rules.ts";
import type { TreePermissionRequest } from "../rules/permission-request.ts";
import { unrestrictedView } from "./unrestricted-view.ts";

/** Holds the decision about several requests together. */
export interface CallDecision {
  readonly decision: Decision;
  /** Lists those of the requests that need a yes. */
  readonly needApproval: readonly TreePermissionRequest[];
  /** Lists those of the requests that people are notified of. */
  readonly needNotice: readonly TreePermissionRequest[];
}

/** Decides about all requests. Walks a tree only where a rule might be stricter about something in it. */
export async function decideAll(
  rules: Rules,
  requests: readonly TreePermissionRequest[],
  workspace: Workspace,
  signal: Cancellation,
): Promise<CallDecision> {
  const createView = (): View => unrestrictedView(workspace, signal);
  const decided = await Promise.all(requests.map((request) => decideWithTree(rules, request, createView)));
  const decisions = decided.map((each, nth) =>
    requests[nth]?.isAskedLater && each.verdict === "approval" ? ALLOWED : each,
  );
  return {
    decision: strictestDecision(decisions),
    needApproval: requests.filter((_, nth) => decisions[nth]?.verdict === "approval"),
    needNotice: requests.filter((_, nth) => decisions[nth]?.verdict === "notify"),
  };
}

async function decideWithTree(rules: Rules, request: TreePermissionRequest, createView: () => View): Promise<Decision> {
  const top = decideOne(rules, request);
  const { tree, stored, streamed, isUnseen } = request;
  if (tree === undefined && stored === undefined && streamed === undefined && !isUnseen) return top;
  if (streamed !== undefined) return decideStreamed(rules, { ...request, streamed }, top, createView());
  const worst = strictestWithin(rules, request);
  if (!isStricter(worst, top.verdict)) return top;
  if (stored !== undefined) return decideStored(rules, { ...request, stored }, top, createView());
  if (tree === undefined) return strictestDecision([top, { verdict: worst, reasons: [UNREADABLE_REASON] }]);
  return decideTree(rules, { ...request, tree }, top, createView());
}

/** Decides about a request without looking into its tree. */
function decideOne(rules: Rules, request: TreePermissionRequest): Decision {
  const decision = rules.decide(request);
  if (request.carriedTo === undefined) return decision;
  const there = rules.decide({ ...request, place: request.carriedTo });
  return isStricter(decision.verdict, there.verdict) ? decision : ALLOWED;
}

const ALLOWED: Decision = { verdict: "autonomous", reasons: [] };

/** Returns the strictest verdict that something in a tree might get. */
function strictestWithin(rules: Rules, { act, place, carriedTo, names }: TreePermissionRequest): Verdict {
  if (carriedTo !== undefined && !rules.dependsOnLocation(place)) return "autonomous";
  return rules.strictestBelow(act, place, names);
}

const UNREADABLE_REASON = "something in it might be concerned by a rule, and cannot be looked at";

/** Decides about every entry of a tree that is not made yet, as if each was made by a call of its own. */
async function decideStreamed(
  rules: Rules,
  request: TreePermissionRequest & { readonly streamed: NonNullable<TreePermissionRequest["streamed"]> },
  top: Decision,
  view: View,
): Promise<Decision> {
  let strictest = top;
  for (const { path, size } of request.streamed) {
    await view.checkpoint();
    const place = childOf(request.place, path);
    const decision = decideOne(rules, { ...request, place, size });
    if (isStricter(decision.verdict, strictest.verdict))
      strictest = { ...decision, reasons: reasonsNaming(decision, view, place) };
  }
  return strictest;
}

/** Decides about every entry of a tree that is still in the store. */
async function decideStored(
  rules: Rules,
  request: TreePermissionRequest & { readonly stored: NonNullable<TreePermissionRequest["stored"]> },
  top: Decision,
  view: View,
): Promise<Decision> {
  const entries = await view.entriesIn(request.stored, LIMITS.checkedTreeEntries, () => false);
  if (!entries)
    return strictestDecision([top, { verdict: strictestWithin(rules, request), reasons: [UNREADABLE_REASON] }]);
  let strictest = top;
  for (const [relativePath, { kind }] of entries) {
    await view.checkpoint();
    if (relativePath === "") continue;
    const inner = { ...request, isInTree: true, place: childOf(request.place, relativePath) };
    const own = decideOne(rules, inner);
    const decision = kind === "symlink" ? withGuardsBelow(rules, inner, own) : own;
    if (isStricter(decision.verdict, strictest.verdict))
      strictest = { ...decision, reasons: reasonsNaming(decision, view, inner.place) };
  }
  return strictest;
}

/** Decides about every entry of a tree, and stops once the decision cannot get stricter. */
async function decideTree(
  rules: Rules,
  request: TreePermissionRequest & { readonly tree: string },
  top: Decision,
  view: View,
): Promise<Decision> {
  const { tree, place, carriedTo, isCommitted } = request;
  const facts = await view.stat(tree, "keep");
  if (facts?.kind !== "directory") return facts?.kind === "symlink" ? withGuardsBelow(rules, request, top) : top;
  const worst = strictestWithin(rules, request);
  let strictest = top;
  const visit = ({ relativePath, entries }: VisitedDirectory): boolean => {
    if (isCommitted && relativePath.split("/").includes(STORE_NAME)) return true;
    for (const { name, kind } of entries) {
      if (isCommitted && name === STORE_NAME) continue;
      const within = (base: string): string => childOf(base, relativeWithSlash(relativePath, name));
      const inner = {
        ...request,
        isInTree: true,
        place: within(place),
        ...(carriedTo && { carriedTo: within(carriedTo) }),
      };
      const own = decideOne(rules, inner);
      const decision = kind === "symlink" ? withGuardsBelow(rules, inner, own) : own;
      if (isStricter(decision.verdict, strictest.verdict))
        strictest = { ...decision, reasons: reasonsNaming(decision, view, within(tree)) };
      if (strictest.verdict === worst) return false;
    }
    return true;
  };
  const { unreadable, stopped } = await walk(view, tree, WALK_EVERYTHING, visit);
  return unreadable > 0 || stopped
    ? strictestDecision([strictest, { verdict: worst, reasons: [UNREADABLE_REASON] }])
    : strictest;
}

/**
 * Adds what guards say about places below a link. The walk does not follow links, but a link on the way to a guarded
 * place that is added or removed changes what is at that place.
 */
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
