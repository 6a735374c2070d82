import { LIMITS } from "../../base/limits.ts";
import type { SafePath } from "../../storage/storage.ts";
import { type Question, type ResolvedApproval, resolveDecision } from "../approvals/approvals.ts";
import type { Decision } from "../rules/decision.ts";
import { strictestDecision } from "../rules/rules.ts";
import type { EffectfulIntent } from "./effectful-intent.ts";
import type { CallContext } from "./call-context.ts";
import type { Decided } from "./decide.ts";
import { effectOf, readEffect } from "../effects/effect.ts";
import { unrestrictedView } from "./unrestricted-view.ts";
import type { TreePermissionRequest } from "../rules/permission-request.ts";

/**
 * Asks for approval of an intent where its decision requires one. The question shows the whole effect, including what
 * the call itself may not see. Returns "free" where nobody has to be asked, as for a dry run. Throws `denied` and
 * `pending`.
 */
export async function askToDo(
  context: CallContext,
  intent: EffectfulIntent,
  { decision, requests, needApproval }: Decided,
): Promise<"free" | ResolvedApproval> {
  const isDryRun = intent.kind === "change" && intent.isDryRun;
  if (isDryRun && decision.verdict === "approval") return "free";
  const isOfCommand = intent.kind === "change" && intent.command !== undefined;
  const act = isOfCommand ? "apply what the command changed" : undefined;
  const doing = (): string => refusedAct(context, requests, decision, act);
  const ask = async (): Promise<ResolvedApproval> =>
    question(context, {
      effect: await shownEffect(context, intent),
      decision,
      requests: needApproval,
      action: doing(),
    });
  return (await resolveDecision(decision, doing, ask)) ?? "free";
}

/** Asks in one question to open a place and all others that the call names and that need a yes. */
export async function askToOpen(context: CallContext, place: SafePath): Promise<void> {
  const { access } = context;
  const others = (await placesNamedBy(context)).filter(access.needsApproval);
  const places = [...new Set([place, ...others])];
  const requests = places.map((each) => ({ act: "read" as const, place: each }));
  const decision = strictestDecision(requests.map(access.rules.decide));
  access.recordDecision(decision);
  const doing = (): string => refusedAct(context, requests, decision);
  const ask = (): Promise<ResolvedApproval> =>
    question(context, { effect: readEffect(places), decision, requests, action: doing() });
  while ((await resolveDecision(decision, doing, ask)) === "answered");
  access.allow(places);
}

async function shownEffect(
  { session, request, redactor }: CallContext,
  intent: EffectfulIntent,
): Promise<Question["effect"]> {
  const { redactedFile, onVersionRead } = redactor;
  return redactor.redactPreview(
    await effectOf(intent, unrestrictedView(session.workspace, request.signal, { redactedFile, onVersionRead })),
  );
}

const question = (
  { session, tool, input, asker }: CallContext,
  asked: Omit<Question, "tool" | "input">,
): Promise<ResolvedApproval> => session.approvals.resolveApproval({ tool: tool.name, input, ...asked }, asker);

/**
 * Names the tool and the places that are refused, since the call may be about several places. The place of a command is
 * its program, which is not in the workspace: the reasons name the command.
 */
function refusedAct(
  { tool, view, access }: CallContext,
  requests: readonly TreePermissionRequest[],
  { verdict }: Decision,
  act = `run ${tool.name}`,
): string {
  const onPlaces = requests.filter(({ act: permission, place }) => permission !== "exec" && place !== "");
  const concerned = onPlaces.filter((each) => access.rules.decide(each).verdict === verdict);
  const names = new Set(concerned.map(({ place }) => JSON.stringify(view.nameOf(place as SafePath))));
  if (names.size === 0) return act;
  const some = [...names].slice(0, LIMITS.refusedNames).join(", ");
  return `${act} ${act.startsWith("run") ? "on" : "in"} ${some}${names.size > LIMITS.refusedNames ? ", …" : ""}`;
}

/** Skips paths that cannot be located: the view refuses them with a better message. */
async function placesNamedBy({ session, tool, input }: CallContext): Promise<readonly SafePath[]> {
  const paths = tool.reads?.(input) ?? [];
  const places = await Promise.all(paths.map((path) => session.workspace.locate(path).catch(() => undefined)));
  return places.filter((place) => place !== undefined);
}
