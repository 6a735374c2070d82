import { answerOf, Fault, isFault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { isWithin } from "../base/paths.ts";
import type { Cancellation } from "../base/slices.ts";
import type { SafePath } from "../storage/storage.ts";
import { visible } from "../text/quote.ts";
import type { Block, ParsedInput, Tool } from "../tools/tool.ts";
import type { View } from "../workspace/view.ts";
import { settle } from "./approvals.ts";
import { bound } from "./bound.ts";
import { noLoopGuard } from "./loop-guard.ts";
import { parse } from "./parse.ts";
import { perform, type Performed, preview } from "./perform.ts";
import { decide, isFree, wantsOf } from "./policy.ts";
import type { Session } from "./session.ts";
import { lookup } from "./toolset.ts";

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
}

export interface Outcome {
  readonly isError: boolean;
  /** "ok", or the code of the fault. */
  readonly code: string;
  readonly blocks: readonly Block[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** One tool call, start to end. Every call from every face passes here, in this order. */
export async function call(session: Session, request: Request): Promise<Outcome> {
  const started = Date.now();
  session.count("calls");
  const outcome = await attempt(session, request);
  if (outcome.isError) session.count("faults");
  const { tool, input, via } = request;
  const { id } = session.facts;
  session.audit.record({ time: started, session: id, tool, via, input, code: outcome.code, ms: Date.now() - started });
  return outcome;
}

async function attempt(session: Session, request: Request): Promise<Outcome> {
  const { name, input, answer } = understand(session, request);
  const loop = request.repeats ? noLoopGuard : session.loop;
  try {
    const learn = loop.begin(name, input);
    const outcome = await answer();
    return warned(outcome, learn(outcome));
  } catch (error) {
    return failed(error);
  }
}

/** What the call means and how it is answered. One that means nothing is answered too, and can be repeated like any other. */
function understand(session: Session, request: Request): Understood {
  try {
    const tool = lookup(session.toolset, request.tool);
    const input = parse(tool, request.input);
    return { name: tool.name, input, answer: () => carryOut(session, tool, input, request) };
  } catch (error) {
    return { name: request.tool, input: request.input, answer: async () => failed(error) };
  }
}

interface Understood {
  readonly name: string;
  readonly input: unknown;
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
  try {
    const ready = session.workspace.writing?.ready();
    if (ready) await ready;
    const asked = mayAsk(session) ? await askFor(session, tool, input) : [];
    const { blocks, data } = bound(await planAndPerform(session, tool, input, viewOf(session, request, asked)));
    return { isError: false, code: "ok", blocks, data };
  } catch (error) {
    return failed(error);
  }
}

/**
 * When the files move on between plan and commit, both are done again: nobody's change is lost, nor this one. Calls that
 * were overtaken take turns: all at once, each would overtake all the others time and again.
 */
async function planAndPerform(session: Session, tool: Tool, input: ParsedInput, view: View): Promise<Performed> {
  let spentMs = 0;
  const once = async (): Promise<Performed | Overtaken> => {
    const startedMs = Date.now();
    const result = await planAndPerformOnce(session, tool, input, view);
    spentMs += Date.now() - startedMs;
    return result;
  };
  for (let tries = 1; ; tries++) {
    // Who is asked may take his time: then nobody waits for a turn.
    const result = await (tries === 1 || mayAsk(session) ? once() : session.inTurn(view.breathe, once));
    if (!("overtaken" in result)) return result;
    if (tries >= LIMITS.replans || spentMs > LIMITS.replanMs) throw result.overtaken;
  }
}

interface Overtaken {
  readonly overtaken: Fault;
}

async function planAndPerformOnce(
  session: Session,
  tool: Tool,
  input: ParsedInput,
  view: View,
): Promise<Performed | Overtaken> {
  const intent = await tool.plan(input, view, session.facts);
  const settled = settle(decide(session.rules, wantsOf(intent)), session.approver, tool.name, preview(intent));
  if (settled) await settled;
  try {
    return await perform(intent, { session, tool: tool.name, breathe: view.breathe });
  } catch (error) {
    if (intent.kind !== "change" || !isOvertaken(error)) throw error;
    return { overtaken: error };
  }
}

/** What a commit says when something came between. Planned anew, it fits or the plan says what is wrong. */
const isOvertaken = (error: unknown): error is Fault => isFault(error) && OVERTAKEN.includes(error.code);

const OVERTAKEN: readonly string[] = ["stale", "swapped", "exists", "not_found", "not_a_directory"];

/** Most rule sets never ask: then no path need be looked for twice. */
const mayAsk = ({ rules }: Session): boolean => rules.some(({ verdict }) => verdict === "approval");

/** Asks for what needs asking among the paths a call names, and returns these. */
async function askFor(session: Session, tool: Tool, input: ParsedInput): Promise<readonly SafePath[]> {
  const wants = (await placesOf(session, tool, input)).map((place) => ({ act: "read" as const, place }));
  const asked = wants.filter((want) => decide(session.rules, [want]).verdict === "approval");
  const places = asked.map(({ place }) => place);
  await settle(decide(session.rules, asked), session.approver, tool.name, `read ${places.join(", ")}`);
  return places;
}

/** A view that judges every place it opens. */
const viewOf = ({ rules, workspace }: Session, { signal, progress }: Request, asked: readonly SafePath[]): View =>
  workspace.view({
    signal,
    progress: progress ?? (() => {}),
    closedBelow: (directory) =>
      rules.flatMap(({ act, verdict, within }) =>
        act === "read" && !isFree(verdict) && isWithin(within, directory) ? [within as SafePath] : [],
      ),
    distinguishes: (directory) => rules.some(({ within }) => isWithin(within, directory)),
    judge(place) {
      const { verdict, reasons } = decide(rules, [{ act: "read", place }]);
      if (isFree(verdict) || asked.includes(place)) return;
      throw new Fault("denied", `Cannot open ${JSON.stringify(place)}: ${reasons.join("; ")}`, { verdict });
    },
  });

/** A path that means no place is left to the view, which refuses it by name. */
async function placesOf({ workspace }: Session, tool: Tool, input: ParsedInput): Promise<readonly SafePath[]> {
  const paths = tool.reads?.(input) ?? [];
  const places = await Promise.all(paths.map((path) => workspace.locate(path).catch(() => undefined)));
  return places.filter((place) => place !== undefined);
}

/** Where everything that went wrong becomes an answer, and the server goes on. */
function failed(error: unknown): Outcome {
  const fault = isFault(error) ? error : new Fault("io", `Cannot complete the call: ${String(error)}`, {}, error);
  const told = answerOf(fault);
  const text = visible(`${told.message}\n${told.hint}`);
  return { isError: true, code: told.code, blocks: [{ kind: "text", text }], data: { error: told } };
}

/** What the caller reads, as one string. */
export const textOf = (blocks: readonly Block[]): string =>
  blocks.map((block) => (block.kind === "text" ? block.text : `[${block.mime}]`)).join("\n");
