import * as z from "zod";
import { answerOf, anyFault, Fault } from "../base/errors.ts";
import type { Act, Verdict } from "../base/verdicts.ts";
import { around, type CallKind } from "../runtime/pipeline/around.ts";
import { limitResultSize } from "../runtime/pipeline/result-size.ts";
import { withWarning } from "../runtime/pipeline/outcome.ts";
import type { Request } from "../runtime/pipeline/request.ts";
import { issueText, withFlattenedText } from "../runtime/pipeline/parse.ts";
import type { Session } from "../runtime/pipeline/session.ts";
import {
  type Definition,
  type OfferedTool,
  toolChangesOf,
  type Reply,
  type Surface,
} from "../runtime/pipeline/surface.ts";
import type { Toolset } from "../runtime/tools/toolset.ts";
import { exactSchemaOf } from "../schema/listed.ts";
import { didYouMean, quotedInput } from "../text/did-you-mean.ts";
import type { Annotations, Block } from "../tools/tool.ts";
import { type CallListener, type Native, type NativeName, nativeOf } from "./native.ts";
import { createCollectedNotes, withNotes } from "./remarks.ts";

/**
 * The same engine in the words of another system. A dialect is data: its tools, each with a translation into native
 * calls, and its words for what went wrong. It never touches a file: whatever it does is a native call.
 */
export interface Dialect {
  readonly name: string;
  readonly tools: readonly DialectTool[];
  /** Words a fault: of a native call, of arguments that do not fit (`invalid_input`), of a name (`unknown_tool`). */
  refusal(fault: Fault, call: FailedCall, native: Native): DialectAnswer | Promise<DialectAnswer>;
  readonly instructions?: string;
  /** Directories that a client offers are asked for, and narrow or replace those of the operator. */
  readonly takesClientRoots?: true;
  /** What the system says on standard error while it serves, for those who look there for its words. */
  readonly operatorWords?: OperatorWords;
  /** How strict it is about acts where no rule of an operator speaks; it can only be stricter than the built-in rules. */
  readonly verdicts?: Readonly<Partial<Record<Act, Verdict>>>;
  /** How long a call waits for a yes where neither the operator says nor an `approver` answers; without it as a native one. */
  readonly approvalWaitMs?: number;
  /** Permission bits of what is new, less the umask. Without it the usual ones. */
  readonly modes?: { readonly file: number; readonly directory: number };
}

/** Lines for whoever runs the server, in the words of another system. */
export interface OperatorWords {
  readonly running: string;
  readonly noneUsable: string;
  skipped(directory: string, isThere: boolean): string;
  replaced(count: number): string;
}

/** One tool of a dialect. Unlike those of a native tool, its schemas are shown as they are. */
export interface DialectTool<Input = never, Uses extends NativeName = NativeName> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Partial<Annotations>;
  readonly input: z.ZodObject;
  readonly output?: z.ZodObject;
  /** The native tools that it is made of. Where one of them is hidden, so is this. */
  readonly uses: readonly Uses[];
  /** It makes no native call: then hooks hear of it by its own name. */
  readonly isAlone?: boolean;
  /** What it does, as rules call it. Where they block all of that in every root, it is not offered. */
  readonly acts?: readonly Act[];
  /** What is known of it beyond what every tool has; for faces that can tell it. */
  definition?(): Definition;
  /** Whether the call only looks if something has moved. */
  polls?(input: Input): boolean;
  run(input: Input, native: Native<Uses>): Promise<DialectAnswer>;
}

/** Ties `run` to the schema and to what it uses; afterwards every tool looks alike. */
export const dialectTool = <Schema extends z.ZodObject, const Uses extends NativeName>(
  tool: DialectTool<z.output<Schema>, Uses> & { readonly input: Schema },
): DialectTool => tool;

/** An answer in the words of a dialect. */
export interface DialectAnswer {
  readonly blocks: readonly Block[];
  readonly data?: Readonly<Record<string, unknown>>;
  /** A refusal is one unless it says otherwise; any other answer is not unless it says so. */
  readonly isError?: boolean;
  /** For the model only: a host need not show it to the user. */
  readonly isSilent?: boolean;
}

/** Text, and the same as data where the dialect has that. */
export const say = (text: string, data?: DialectAnswer["data"]): DialectAnswer => ({
  blocks: [{ kind: "text", text }],
  ...(data && { data }),
});

/** The call that a fault is about: its arguments as they came. */
export interface FailedCall {
  readonly tool: string;
  readonly input: unknown;
}

/** A session that is spoken to in a dialect. What it may not do it does not list. */
export function dialectSurface(dialect: Dialect, session: Session): Surface {
  // Tools and rules may change while a session lasts.
  const tools = () => usable(dialect, session.toolset()).filter((tool) => !isBlocked(tool, session));
  const spoken = (): Dialect => ({ ...dialect, tools: tools() });
  return {
    get tools() {
      return tools().map(offeredDialectTool);
    },
    onToolsChanged: toolChangesOf(session, tools),
    call: (request) => around(session, request, dialectCalls(spoken(), session, request)),
    ...(dialect.instructions !== undefined && { instructions: dialect.instructions }),
  };
}

/** While there is no directory: the tools can be listed, and every call is refused with the reason. */
export const surfaceWithoutRoots = (dialect: Dialect, toolset: Toolset, reason: Fault): Surface => ({
  tools: usable(dialect, toolset).map(offeredDialectTool),
  call: (request) => refusedReply(dialect, reason, request, nativeWithoutRoots(reason)),
});

const nativeWithoutRoots = (reason: Fault): Native => ({
  roots: [],
  sources: new Map(),
  ask: () => Promise.reject(reason),
  within: () => nativeWithoutRoots(reason),
  facts: { startedMs: 0, disks: () => [] },
  alert: () => Promise.reject(reason),
});

const usable = ({ tools }: Dialect, { byName }: Toolset): readonly DialectTool[] =>
  tools.filter(({ uses }) => uses.every((name) => byName.has(name)));

const isBlocked = ({ acts = [] }: DialectTool, { rules, workspace }: Session): boolean =>
  acts.length > 0 &&
  acts.every((act) => workspace.roots.every(({ real }) => rules().decide({ act, place: real }).verdict === "blocked"));

const offeredDialectTool = ({
  name,
  title,
  description,
  annotations,
  input,
  output,
  definition,
}: DialectTool): OfferedTool => ({
  name,
  title,
  description,
  annotations,
  inputSchema: () => exactSchemaOf(input),
  ...(output && { outputSchema: () => exactSchemaOf(output) }),
  ...(definition && { definition }),
});

/** The calls of a dialect, in its words. What becomes a native call is hooked and audited as that. */
function dialectCalls(dialect: Dialect, session: Session, request: Request): CallKind<DialectTool, never, Reply> {
  const labelOf = (name: string): string => `${dialect.name}.${name}`;
  let nativeCalls = 0;
  const notes = createCollectedNotes();
  const listener: CallListener = { onCall: () => nativeCalls++, onAnswer: notes.add };
  const native = nativeOf(session, request, labelOf(request.tool), listener);
  return {
    labelOf,
    pluginOf: () => undefined,
    lookup: (name) => toolOf(dialect, name),
    parse: parseInput,
    isPoll: (tool, input) => tool.polls?.(input) ?? false,
    isHooked: (tool) => tool.isAlone === true,
    run: async (tool, input) =>
      withNotes({ isError: false, code: "ok", ...limitResultSize(await tool.run(input, native)) }, notes.all()),
    failed: (error) => refusedReply(dialect, error, request, native),
    withWarning,
    isRecorded: () => nativeCalls === 0,
  };
}

async function refusedReply(dialect: Dialect, error: unknown, call: FailedCall, native: Native): Promise<Reply> {
  const fault = anyFault(error);
  return {
    isError: true,
    code: fault.code,
    error: answerOf(fault),
    ...(await refusalOf(dialect, fault, call, native)),
  };
}

/** A dialect of somebody else may fail at its own words: then ours have to do. */
async function refusalOf(dialect: Dialect, fault: Fault, call: FailedCall, native: Native): Promise<DialectAnswer> {
  try {
    return await dialect.refusal(fault, call, native);
  } catch {
    const { message, hint } = answerOf(fault);
    return say(`${message}\n${hint}`);
  }
}

function toolOf({ tools }: Dialect, name: string): DialectTool {
  const tool = tools.find((each) => each.name === name);
  if (tool) return tool;
  const names = tools.map((each) => each.name);
  const help = didYouMean(name, names, `the tools are ${names.join(", ")}`);
  throw new Fault("unknown_tool", `Cannot call ${quotedInput(name)}: there is no such tool; ${help}`, { tools: names });
}

/** The fault has all that zod says in `issues`, for dialects that word it themselves. */
function parseInput(tool: DialectTool, raw: unknown): never {
  const given = raw ?? {};
  const result = tool.input.safeParse(given);
  if (result.success) return result.data as never;
  const again = tool.input.safeParse(withFlattenedText(tool.input, given));
  if (again.success) return again.data as never;
  const { issues } = result.error;
  const [first] = issues as [z.core.$ZodIssue];
  const argument = first.path.join(".") || (first.code === "unrecognized_keys" ? first.keys[0] : undefined);
  throw new Fault("invalid_input", `Cannot call "${tool.name}": ${issueText(first, given)}`, { argument, issues });
}
