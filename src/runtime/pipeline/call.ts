import { hasCode, isFault } from "../../base/errors.ts";
import type { ParsedInput, ResumeIntent, Tool } from "../../tools/tool.ts";
import { lookup } from "../tools/toolset.ts";
import { commandIntentOf } from "../commands/command-intent-of.ts";
import { joinedAnswers, notAppliedAnswer } from "../commands/joined-answers.ts";
import { approvalQuestionOf } from "./refusals.ts";
import { act } from "./act.ts";
import { around, type CallKind } from "./around.ts";
import { askToDo, askToOpen } from "./ask.ts";
import { limitResultSize } from "./result-size.ts";
import { type CallContext, createCallContext, withTool } from "./call-context.ts";
import { decide } from "./decide.ts";
import { sendNotice } from "./send-notice.ts";
import { failedOutcome, type Outcome, withWarning } from "./outcome.ts";
import { parse } from "./parse.ts";
import type { Performed } from "./perform.ts";
import type { Request } from "./request.ts";
import { type Again, createRounds } from "./rounds.ts";
import type { Session } from "../sessions/session.ts";

/**
 * Makes one tool call, from the request to the answer. Every call of every face passes here:
 *
 *     around           reload the rules, look up and parse, hooks, loop guard, run, audit
 *     run              limits the size of the answer, redacts secrets, sends notices
 *     planAndPerform   repeats until the call is done, refused or pending
 *     attempt          plan, decide, ask, act
 */
export async function call(session: Session, request: Request): Promise<Outcome> {
  session.count("calls");
  const starting = session.lazyTools?.loadFor(request.tool);
  if (starting) await starting;
  const outcome = await around(session, request, nativeCalls(session, request));
  if (outcome.isError) session.count("faults");
  return outcome;
}

/** Calls a tool that only people have, and that is in no toolset, by the same steps. */
export const callOperatorTool = (session: Session, tool: Tool, input: unknown): Promise<Outcome> => {
  const request = { tool: tool.name, input, signal: { aborted: false }, repeats: true };
  return around(session, request, { ...nativeCalls(session, request), lookup: () => tool });
};

const nativeCalls = (session: Session, request: Request): CallKind<Tool, ParsedInput, Outcome> => ({
  labelOf: (name) => name,
  pluginOf: (name) => session.toolset().byName.get(name)?.plugin,
  lookup: (name) => lookup(session.toolset(), name),
  parse,
  isPoll: (tool, input) => tool.polls?.(input) ?? false,
  isHooked: () => true,
  run: (tool, input) => run(createCallContext(session, request, tool, input)),
  failed: async (error) => failedOutcome(error),
  withWarning,
  isRecorded: () => true,
});

async function run(context: CallContext): Promise<Outcome> {
  const { session, redactor, access, asker } = context;
  const { answers } = asker;
  try {
    await session.workspace.writing?.ready();
    const performed = limitResultSize(redactor.redactResult(await planAndPerform(context)));
    return { isError: false, code: "ok", ...performed, ruling: { decision: access.decision(), answers } };
  } catch (error) {
    reportCause(session, error);
    const failed = redactor.redactResult(failedOutcome(error));
    return { ...failed, ruling: { decision: access.decisionThatEnded(error), answers } };
  } finally {
    sendNotice(context);
  }
}

/** Tells the operator what a storage said when it failed: the answer leaves it out, since it may hold secrets. */
function reportCause({ warn }: Session, error: unknown): void {
  if (hasCode(error, "io") && error.cause !== undefined) warn(`${error.message}: ${causeText(error.cause)}`);
}

const causeText = (cause: unknown): string => (cause instanceof Error ? String(cause) : JSON.stringify(cause));

/** Plans again where the files, the rules or a limit changed meanwhile, so that no change overwrites another. */
async function planAndPerform(context: CallContext): Promise<Performed> {
  const { diagnostics } = context.session;
  const rounds = createRounds(context);
  for (;;) {
    await rounds.begin();
    const result = await attempt(context).finally(rounds.end);
    if (!("again" in result)) return diagnostics ? diagnostics.addTo(result, context) : result;
    rounds.goRound(result);
    if (result.again === "needs_approval") await askToOpen(context, result.place);
  }
}

async function attempt(context: CallContext): Promise<Performed | Again> {
  const { session, tool, input, view, redactor } = context;
  try {
    const planned = await tool.plan(redactor.restorePlaceholders(input), view, session.facts);
    if (planned.kind === "answer") return planned;
    if (planned.kind === "resume") return await resume(context, planned);
    const isAboutCommands = planned.kind === "run" || planned.kind === "job" || planned.kind === "apply";
    const intent = isAboutCommands ? await commandIntentOf(context, planned) : planned;
    const decided = await decide(context, intent);
    const answer = await askToDo(context, intent, decided);
    if (answer === "answered") return { again: "answered" };
    const performed = await act(context, intent, decided, answer === "allowed");
    return "next" in performed && performed.next ? await goOn(context, performed, performed.next) : performed;
  } catch (error) {
    const place = approvalQuestionOf(error);
    if (place === undefined || !isFault(error)) throw error;
    return { again: "needs_approval", place, fault: error };
  }
}

/** Makes a call that waited for an answer as if it had just come: it is planned and decided like any other. */
async function resume(context: CallContext, { approval, answerFor }: ResumeIntent): Promise<Performed> {
  const { session, asker } = context;
  const waiting = session.approvals.pendingCallOf(approval, asker);
  await session.lazyTools?.loadFor(waiting.tool);
  const tool = lookup(session.toolset(), waiting.tool);
  const resumed = withTool(context, tool, parse(tool, waiting.input));
  return answerFor(resumed.redactor.redactResult(await planAndPerform(resumed)));
}

/** Applies what a command changed, as part of the same call. The answer says so where that is not possible now. */
async function goOn(
  context: CallContext,
  ran: Performed,
  { tool, input }: NonNullable<Performed["next"]>,
): Promise<Performed> {
  const applying = withTool(context, tool, input);
  return planAndPerform(applying).then(
    (applied) => joinedAnswers(ran, applied),
    (error: unknown) => notAppliedAnswer(ran, error),
  );
}
