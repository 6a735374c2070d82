import { answerOf, anyFault, type Code, type Fault, hasCode } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import type { SafePath } from "../../storage/storage.ts";
import { visible } from "../../text/quote.ts";
import type { Block, EffectfulIntent, ParsedInput, ResumeIntent, Tool } from "../../tools/tool.ts";
import type { ChangeRecord } from "../../workspace/changes/change.ts";
import type { View } from "../../workspace/view.ts";
import { type AccessContext, createAccessContext, approvalQuestionOf } from "./access-context.ts";
import type { ApprovalChannel } from "../approvals/approval.ts";
import { type Asker, type Question, settle, type ResolvedApproval } from "../approvals/approvals.ts";
import { effectsOf, originOf, type Ruling, rulingOf, UNRULED } from "../audit/audit.ts";
import { bound } from "./bound.ts";
import { effectOf, readingOf } from "./effect.ts";
import type { HookedCall } from "../hooks/hooks.ts";
import { decideAll, effectsShown } from "./judging.ts";
import { noLoopGuard } from "../loops/guard.ts";
import type { NoticeSink } from "./notices.ts";
import { parse } from "./parse.ts";
import { perform, type Performed } from "./perform.ts";
import { type TreePermissionRequest, permissionRequestsOf } from "./policy.ts";
import { type Decision, mergedSources } from "../rules/rules.ts";
import type { Session } from "./session.ts";
import type { CallRedactor } from "../secrets/redactor.ts";
import { lookup } from "../tools/toolset.ts";

export interface Request {
  readonly tool: string;
  readonly input: unknown;
  readonly signal: Cancellation;
  /** The caller is a program that asks again on purpose: repetition is no loop. */
  readonly repeats?: boolean;
  /** The call of another system that this one is part of. */
  readonly via?: string;
  /** Told now and then how far a long call has come. */
  readonly progress?: ((done: number, total?: number) => void) | undefined;
  /** Told what was done that the rules want told, besides the session itself. */
  readonly notice?: NoticeSink | undefined;
  /** Whoever sits at the client that made this call, if that can be asked. */
  readonly channel?: ApprovalChannel | undefined;
}

export interface Outcome {
  readonly isError: boolean;
  /** "ok", or the code of the fault. */
  readonly code: string;
  readonly blocks: readonly Block[];
  readonly data: Readonly<Record<string, unknown>>;
  /** What was changed, for the audit log. */
  readonly record?: ChangeRecord;
  /** Why it was let through, or not, for the audit log. */
  readonly ruling?: Ruling;
}

/** One tool call, start to end. Every call from every face passes here, in this order. */
export async function call(session: Session, request: Request): Promise<Outcome> {
  const started = Date.now();
  session.count("calls");
  const outcome = await attempt(session, request);
  if (outcome.isError) session.count("faults");
  const { tool, input, via } = request;
  const { id } = session.facts;
  const { code, record, ruling = UNRULED } = outcome;
  const ms = Date.now() - started;
  if (!session.hooks.isEmpty)
    session.hooks.after({
      tool,
      ...broughtBy(session, tool),
      input,
      session: id,
      isError: outcome.isError,
      code,
      data: outcome.data,
    });
  const { decision, approvers } = rulingOf(ruling, code);
  const [change, effects] = [record?.id, record && effectsOf(record)];
  session.audit.record({
    time: started,
    session: id,
    ...originOf(session),
    tool,
    via,
    input,
    code,
    decision,
    approvers,
    change,
    effects,
    ms,
  });
  return outcome;
}

async function attempt(session: Session, request: Request): Promise<Outcome> {
  const arriving = session.lazyTools?.of(request.tool);
  if (arriving) await arriving;
  const renewing = session.renewing();
  if (renewing) await renewing;
  const understood = understand(session, request);
  const { name, input, isPoll, answer } = session.hooks.isEmpty
    ? understood
    : await hooked(session, request, understood);
  const loop = request.repeats ? noLoopGuard : session.loop;
  try {
    const learn = loop.begin({ tool: name, input, isPoll });
    const outcome = await answer();
    return warned(outcome, learn(outcome));
  } catch (error) {
    return failed(error);
  }
}

/** What the call means and how it is answered. One that means nothing is answered too, and can be repeated like any other. */
function understand(session: Session, request: Request): Understood {
  try {
    const tool = lookup(session.toolset(), request.tool);
    const input = parse(tool, request.input);
    const isPoll = tool.polls?.(input) ?? false;
    return { name: tool.name, input, isPoll, makesSense: true, answer: () => carryOut(session, tool, input, request) };
  } catch (error) {
    const { tool: name, input } = request;
    return { name, input, isPoll: false, makesSense: false, answer: async () => failed(error) };
  }
}

/** Hooks see only calls that make sense. What one of them makes of a call is understood anew, like any other. */
async function hooked(session: Session, request: Request, understood: Understood): Promise<Understood> {
  const { name, input, makesSense } = understood;
  if (!makesSense) return understood;
  try {
    const seen = { tool: name, ...broughtBy(session, name), input, session: session.facts.id };
    const changed = await session.hooks.before(seen);
    return changed === undefined ? understood : understand(session, { ...request, input: changed });
  } catch (error) {
    return { ...understood, answer: async () => failed(error) };
  }
}

const broughtBy = ({ toolset }: Session, name: string): Pick<HookedCall, "plugin"> => {
  const plugin = toolset().byName.get(name)?.plugin;
  return plugin === undefined ? {} : { plugin };
};

interface Understood {
  readonly name: string;
  readonly input: unknown;
  readonly isPoll: boolean;
  readonly makesSense: boolean;
  answer(): Promise<Outcome>;
}

/** A warning stands where the model reads, whichever half of an answer its host shows. */
const warned = (outcome: Outcome, warning: string | undefined): Outcome =>
  warning === undefined
    ? outcome
    : {
        ...outcome,
        blocks: [...outcome.blocks, { kind: "text", text: warning }],
        data: { ...outcome.data, loop_warning: warning },
      };

async function carryOut(session: Session, tool: Tool, input: ParsedInput, request: Request): Promise<Outcome> {
  const access = createAccessContext(session.rules(), session.rates);
  const cover = session.shield.cover(tool, request.signal, session.toldHandles);
  const view = viewOf(session, request, access, cover);
  const { signal, channel } = request;
  const asker: Asker = { session: session.facts.id, signal, channel, taken: [], heard: [] };
  const ruling = (ended?: unknown): Ruling => ({ decision: access.decision(ended), answers: asker.heard });
  try {
    const ready = session.workspace.writing?.ready();
    if (ready) await ready;
    const context = { session, tool, input, request, access, view, asker, cover };
    const performed = bound(cover.hidden(await untilAnswered(context)));
    return { isError: false, code: "ok", ...performed, ruling: ruling() };
  } catch (error) {
    return { ...cover.hidden(failed(error)), ruling: ruling(error) };
  } finally {
    tell(session, tool, request, view, access);
  }
}

/** One call on its way. */
interface CallContext {
  readonly session: Session;
  readonly tool: Tool;
  readonly input: ParsedInput;
  readonly request: Request;
  readonly access: AccessContext;
  readonly view: View;
  readonly asker: Asker;
  readonly cover: CallRedactor;
}

/** A plan that comes across something it may not open without a yes is made again once that was given. */
async function untilAnswered(context: CallContext): Promise<Performed> {
  for (let questions = 0; ; questions++) {
    try {
      return await planAndPerform(context);
    } catch (error) {
      const place = approvalQuestionOf(error);
      if (place === undefined || questions >= LIMITS.questionsPerCall) throw error;
      await askFor(context, place);
    }
  }
}

/** Asks for a place, and for all others that the call names and that need it, at once. */
async function askFor(context: CallContext, place: SafePath): Promise<void> {
  const { session, tool, input, access } = context;
  const others = (await placesOf(session, tool, input)).filter(access.needsYes);
  const places = [...new Set([place, ...others])];
  const wants = places.map((each) => ({ act: "read" as const, place: each }));
  const decision = mergedSources(wants.map(access.rules.decide));
  access.judged(decision);
  const ask = (): Promise<ResolvedApproval> => asked(context, { effect: readingOf(places), decision, wants });
  while ((await settle(decision, () => doingOf(context, wants, decision), ask)) === "answered");
  access.allow(places);
}

/** Asks whoever can be asked about exactly this. */
function asked(context: CallContext, question: Omit<Question, "tool" | "input" | "doing">): Promise<ResolvedApproval> {
  const { session, tool, input, asker } = context;
  const doing = doingOf(context, question.wants, question.decision);
  return session.approvals.resolveApproval({ tool: tool.name, input, doing, ...question }, asker);
}

/**
 * When the files move on between plan and commit, both are done again: nobody's change is lost, nor this one. Calls that
 * were overtaken take turns: all at once, each would overtake all the others time and again.
 */
async function planAndPerform(context: CallContext): Promise<Performed> {
  let spentMs = 0;
  let hasAsked = false;
  const once = async (): Promise<Performed | Again> => {
    const startedMs = Date.now();
    const result = await planAndPerformOnce(context);
    if (!("again" in result && result.hasAsked)) spentMs += Date.now() - startedMs;
    return result;
  };
  for (let tries = 1; ; tries++) {
    // Who is asked may take his time: then nobody waits for a turn.
    const { inTurn } = context.session;
    const result: Performed | Again = await (tries === 1 || hasAsked ? once() : inTurn(context.view.checkpoint, once));
    if (!("again" in result)) return result;
    ({ hasAsked } = result);
    if (result.again && (tries >= LIMITS.replans || spentMs > LIMITS.replanMs)) throw result.again;
  }
}

/** Has to be planned anew: overtaken, or answered while the world may have moved on. */
interface Again {
  readonly again: Fault | undefined;
  readonly hasAsked: boolean;
}

async function planAndPerformOnce(context: CallContext): Promise<Performed | Again> {
  const { session, tool, input, request, access, view, cover } = context;
  const intent = await tool.plan(cover.restored(input), view, session.facts);
  if (intent.kind === "answer") return intent;
  if (intent.kind === "resume") return resume(intent, context);
  const wants = permissionRequestsOf(intent, tool);
  const judging = decideAll(access.rules, wants, session.workspace, request.signal);
  const judged = judging instanceof Promise ? await judging : judging;
  const changes = intent.kind === "change" ? intent.changes : [];
  const decision = mergedSources([judged.decision, cover.leaving(changes)]);
  access.judged(decision);
  const isDryRun = intent.kind === "change" && intent.isDryRun;
  const isOnlyShown = isDryRun && decision.verdict === "approval";
  const ask = (): Promise<ResolvedApproval> => askToDo(context, intent, judged.open, decision);
  const settled = isOnlyShown ? undefined : settle(decision, () => doingOf(context, wants, decision), ask);
  if (settled && (await settled) === "answered") return { again: undefined, hasAsked: true };
  const uncount = isDryRun ? () => {} : access.performing(decision);
  try {
    const { signal } = request;
    const result = await perform(intent, { session, tool: tool.name, checkpoint: view.checkpoint, signal, access });
    if (isDryRun) return result;
    access.performed(wants, decision);
    access.replacedUnseen(unseenIn(result.record));
    cover.performed(changes);
    return result;
  } catch (error) {
    uncount();
    if (intent.kind !== "change" || !isOvertaken(error)) throw error;
    return { again: error, hasAsked: settled !== undefined };
  }
}

const unseenIn = (record: ChangeRecord | undefined): readonly SafePath[] =>
  record?.effects.flatMap(({ isUnseen, path }) => (isUnseen ? [path] : [])) ?? [];

/** What is refused, by its name: the call may speak of several places. */
function doingOf(
  { tool, view, access }: CallContext,
  wants: readonly TreePermissionRequest[],
  { verdict }: Decision,
): string {
  const concerned = wants.filter((want) => access.rules.decide(want).verdict === verdict);
  const names = new Set(concerned.map(({ place }) => JSON.stringify(view.nameOf(place as SafePath))));
  const some = [...names].slice(0, LIMITS.refusedNames).join(", ");
  return names.size === 0
    ? `run ${tool.name}`
    : `run ${tool.name} on ${some}${names.size > LIMITS.refusedNames ? ", …" : ""}`;
}

/** Whoever is asked sees all that would happen, also what the call itself may not see. */
async function askToDo(
  context: CallContext,
  deed: EffectfulIntent,
  wants: readonly TreePermissionRequest[],
  decision: Decision,
): Promise<ResolvedApproval> {
  const { session, request, cover } = context;
  const { shown, recalled } = cover;
  const effect = cover.preview(
    await effectOf(deed, effectsShown(session.workspace, request.signal, { shown, recalled })),
  );
  return asked(context, { effect, decision, wants });
}

/** The call is made as if it had just come: it is planned, judged and compared with what was allowed. */
async function resume({ approval, tell: told }: ResumeIntent, context: CallContext): Promise<Performed> {
  const { session, request, access } = context;
  const waiting = session.approvals.callOf(approval, session.facts.id);
  await session.lazyTools?.of(waiting.tool);
  const tool = lookup(session.toolset(), waiting.tool);
  const cover = session.shield.cover(tool, request.signal, session.toldHandles);
  const view = viewOf(session, request, access, cover);
  const input = parse(tool, waiting.input);
  return told(cover.hidden(await untilAnswered({ ...context, tool, input, view, cover })));
}

/** What a commit says when something came between. Planned anew, it fits or the plan says what is wrong. */
const isOvertaken = (error: unknown): error is Fault => hasCode(error, ...OVERTAKEN);

const OVERTAKEN: readonly Code[] = ["stale", "swapped", "exists", "not_found", "not_a_directory"];

/** A view that judges every place it opens. */
const viewOf = (
  { workspace, seen }: Session,
  { signal, progress }: Request,
  access: AccessContext,
  cover: CallRedactor,
): View =>
  workspace.view({
    signal,
    progress: progress ?? (() => {}),
    judge: access.judge,
    opens: access.opens,
    distinguishes: access.distinguishes,
    closedBelow: access.closedBelow,
    shown: cover.shown,
    recalled: cover.recalled,
    sought: cover.sought,
    covered: cover.covered,
    uncut: cover.uncut,
    seen,
  });

/** A path that means no place is left to the view, which refuses it by name. */
async function placesOf({ workspace }: Session, tool: Tool, input: ParsedInput): Promise<readonly SafePath[]> {
  const paths = tool.reads?.(input) ?? [];
  const places = await Promise.all(paths.map((path) => workspace.locate(path).catch(() => undefined)));
  return places.filter((place) => place !== undefined);
}

/** What the rules let happen and want told is told, also when the call failed afterwards. */
function tell(session: Session, tool: Tool, request: Request, view: View, access: AccessContext): void {
  const found = access.notice();
  if (!found) return;
  const done = found.done.map((want) => ({
    act: want.act,
    // A notice goes to logs, and by the protocol to the client.
    path: want.tool?.name ?? session.shield.hidden(view.nameOf(want.place as SafePath)),
  }));
  const notice = { tool: tool.name, session: session.facts.id, done, reasons: found.reasons };
  session.notice(notice);
  request.notice?.(notice);
}

/** Where everything that went wrong becomes an answer, and the server goes on. */
function failed(error: unknown): Outcome {
  const fault = anyFault(error);
  const told = answerOf(fault);
  const text = visible(`${told.message}\n${told.hint}`);
  return { isError: true, code: told.code, blocks: [{ kind: "text", text }], data: { error: told } };
}
