import { strictestDecision } from "../rules/rules.ts";
import type { EffectfulIntent } from "./effectful-intent.ts";
import type { CallContext } from "./call-context.ts";
import { type CallDecision, decideAll } from "./decide-tree.ts";
import type { TreePermissionRequest } from "../rules/permission-request.ts";
import { permissionRequestsOf } from "./permission-requests.ts";

/** Holds the decision about an intent and the permissions that the intent requests. */
export interface Decided extends CallDecision {
  readonly requests: readonly TreePermissionRequest[];
}

/** Decides about an intent by the rules and by the egress check for secrets. */
export async function decide(
  { session, tool, request, access, redactor, asker }: CallContext,
  intent: EffectfulIntent,
): Promise<Decided> {
  const requests = permissionRequestsOf(intent, tool, asker.roots);
  const ruled = await decideAll(access.rules, requests, session.workspace, request.signal);
  const decision =
    intent.kind === "change"
      ? strictestDecision([ruled.decision, redactor.checkEgress(intent.changes)])
      : ruled.decision;
  access.recordDecision(decision);
  return { ...ruled, decision, requests };
}
