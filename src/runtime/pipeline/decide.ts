import type { EffectfulIntent } from "../../tools/tool.ts";
import type { Change } from "../../workspace/changes/change.ts";
import { type Decision, strictestDecision } from "../rules/rules.ts";
import type { CallContext } from "./call-context.ts";
import { decideAll } from "./decide-tree.ts";
import { permissionRequestsOf, type TreePermissionRequest } from "./permission-requests.ts";

/** Holds the decision about an intent and the permissions that the intent requests. */
export interface Decided {
  readonly decision: Decision;
  readonly requests: readonly TreePermissionRequest[];
  /** Lists those of the requests that need a yes. */
  readonly needApproval: readonly TreePermissionRequest[];
}

/** Decides about an intent by the rules and by the egress check for secrets. */
export async function decide(
  { session, tool, request, access, redactor }: CallContext,
  intent: EffectfulIntent,
): Promise<Decided> {
  const requests = permissionRequestsOf(intent, tool);
  const { decision: ruled, needApproval } = await decideAll(access.rules, requests, session.workspace, request.signal);
  const decision = strictestDecision([ruled, redactor.checkEgress(changesIn(intent))]);
  access.recordDecision(decision);
  return { decision, requests, needApproval };
}

export const changesIn = (intent: EffectfulIntent): readonly Change[] =>
  intent.kind === "change" ? intent.changes : [];
