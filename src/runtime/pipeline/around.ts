import { agentField, effectsOf, principalField, type Ruling, writtenRulingOf, NO_RULING } from "../audit/audit.ts";
import { noLoopGuard } from "../loops/guard.ts";
import type { Block } from "../../tools/tool.ts";
import type { ChangeRecord } from "../../workspace/changes/change.ts";
import { withJobEnds } from "./job-end-notes.ts";
import type { Request } from "./request.ts";
import type { Session } from "../sessions/session.ts";

/** Describes in what native calls and the calls of a dialect differ. Everything else about a call is the same. */
export interface CallKind<Tool extends { readonly name: string }, Input, Answer extends CallAnswer> {
  /** Returns the name by which hooks and the audit log know a tool. */
  labelOf(name: string): string;
  /** Names the plugin that a tool comes from, for hooks. */
  pluginOf(name: string): string | undefined;
  /** Throws where there is no such tool, or not for this session. */
  lookup(name: string): Tool;
  parse(tool: Tool, raw: unknown): Input;
  isPoll(tool: Tool, input: Input): boolean;
  isHooked(tool: Tool): boolean;
  run(tool: Tool, input: Input): Promise<Answer>;
  failed(error: unknown): Promise<Answer>;
  withWarning(answer: Answer, warning: string): Answer;
  /** Is false when the calls that this one was made of are in the audit log already. */
  isRecorded(): boolean;
}

/** Holds what hooks and the audit log need of an answer of either kind. */
export interface CallAnswer {
  readonly isError: boolean;
  readonly code: string;
  readonly blocks: readonly Block[];
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly record?: ChangeRecord;
  readonly ruling?: Ruling;
}

/** Takes a call through everything that surrounds its tool: reload, hooks, loop guard, audit. Never throws. */
export async function around<Tool extends { readonly name: string }, Input, Answer extends CallAnswer>(
  session: Session,
  request: Request,
  kind: CallKind<Tool, Input, Answer>,
): Promise<Answer> {
  const startedMs = Date.now();
  const reloading = session.reload();
  if (reloading) await reloading;
  const prepared = await prepare(session, request, kind);
  const guard = request.repeats ? noLoopGuard : session.loop;
  let answer: Answer;
  try {
    const recordResult = guard.begin(prepared);
    answer = "error" in prepared ? await kind.failed(prepared.error) : await kind.run(prepared.found, prepared.input);
    const warning = recordResult({ ...answer, data: answer.data ?? {} });
    if (warning !== undefined) answer = kind.withWarning(answer, warning);
  } catch (error) {
    answer = await kind.failed(error);
  }
  if (session.jobEnds.unreported.length > 0) answer = withJobEnds(session, request, answer);
  if (kind.isRecorded()) record(session, request, kind, answer, startedMs);
  return answer;
}

/** Holds a call whose tool and arguments are known, or the error that says why they are not. */
type Prepared<Tool, Input> = { readonly tool: string; readonly isPoll: boolean } & (
  | { readonly found: Tool; readonly input: Input }
  | { readonly error: unknown; readonly input: unknown }
);

/** Looks the tool up, parses its arguments and asks the hooks. Hooks see only calls that can be parsed. */
async function prepare<Tool extends { readonly name: string }, Input, Answer extends CallAnswer>(
  session: Session,
  { tool: name, input: raw }: Request,
  kind: CallKind<Tool, Input, Answer>,
): Promise<Prepared<Tool, Input>> {
  let seen: { tool: string; input: unknown; isPoll: boolean } = { tool: name, input: raw, isPoll: false };
  try {
    const found = kind.lookup(name);
    const input = kind.parse(found, raw);
    seen = { tool: found.name, input, isPoll: kind.isPoll(found, input) };
    const changed = session.hooks.isEmpty || !kind.isHooked(found) ? undefined : await askHooks(session, kind, seen);
    if (changed === undefined) return { ...seen, found, input };
    const replaced = kind.parse(found, changed);
    return { tool: found.name, found, input: replaced, isPoll: kind.isPoll(found, replaced) };
  } catch (error) {
    return { ...seen, error };
  }
}

/** Returns the arguments that a hook put in place of the given ones. Throws where a hook refuses the call. */
async function askHooks(
  { hooks, facts }: Session,
  kind: Pick<CallKind<never, never, never>, "labelOf" | "pluginOf">,
  { tool, input }: { readonly tool: string; readonly input: unknown },
): Promise<unknown> {
  return hooks.before({ ...hookNames(kind, tool), input, session: facts.id });
}

function hookNames(
  kind: Pick<CallKind<never, never, never>, "labelOf" | "pluginOf">,
  name: string,
): { readonly tool: string; readonly plugin?: string } {
  const plugin = kind.pluginOf(name);
  return { tool: kind.labelOf(name), ...(plugin !== undefined && { plugin }) };
}

/** Reports a finished call to the hooks and writes it to the audit log. */
function record(
  session: Session,
  { tool: name, input, via, client }: Request,
  kind: Pick<CallKind<never, never, never>, "labelOf" | "pluginOf">,
  { isError, code, data = {}, record: changes, ruling = NO_RULING }: CallAnswer,
  startedMs: number,
): void {
  const { id } = session.facts;
  if (!session.hooks.isEmpty)
    session.hooks.after({ ...hookNames(kind, name), input, session: id, isError, code, data });
  const { decision, approvers } = writtenRulingOf(ruling, code);
  session.audit.record({
    time: startedMs,
    session: id,
    ...principalField(session),
    ...agentField(session),
    client,
    tool: kind.labelOf(name),
    via,
    input,
    code,
    decision,
    approvers,
    change: changes?.id,
    effects: changes && effectsOf(changes),
    ms: Date.now() - startedMs,
  });
}
