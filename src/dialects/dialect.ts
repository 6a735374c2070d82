import * as z from "zod";
import { answerOf, toFault, Fault } from "../base/errors.ts";
import type { Act, Verdict } from "../base/verdicts.ts";
import { around, type CallKind } from "../runtime/pipeline/around.ts";
import { limitResultSize } from "../runtime/pipeline/result-size.ts";
import { withNotes, withWarning } from "../runtime/pipeline/outcome.ts";
import type { Request } from "../runtime/pipeline/request.ts";
import { issueText, withFlattenedText } from "../runtime/pipeline/parse.ts";
import type { Session } from "../runtime/sessions/session.ts";
import {
  type Definition,
  type OfferedTool,
  toolChangesOf,
  type Reply,
  type Surface,
} from "../runtime/pipeline/surface.ts";
import type { Toolset } from "../runtime/tools/toolset.ts";
import { exactSchemaOf } from "../schema/listed-schema.ts";
import { didYouMean, quotedInput } from "../text/did-you-mean.ts";
import type { Annotations, Block } from "../tools/tool.ts";
import { type CallListener, type Native, type NativeName, nativeOf } from "./native.ts";
import { createCollectedNotes } from "./collected-notes.ts";

/**
 * Presents Holdfast with the tools of another product: its names, arguments and messages. A dialect is data: its tools, each translated into native
 * calls, and its error messages. It never touches a file: it only makes native calls.
 */
export interface Dialect {
  readonly name: string;
  readonly tools: readonly DialectTool[];
  /** Converts a fault to an answer: one of a native call, of wrong arguments or of an `unknown_tool`. */
  answerFault(fault: Fault, call: FailedCall, native: Native): DialectAnswer | Promise<DialectAnswer>;
  readonly instructions?: string;
  /** Is set if a client's roots select among or replace the operator's directories. */
  readonly acceptsClientRoots?: true;
  /** The lines that the original server prints on standard error, for programs that parse them. */
  readonly operatorMessages?: OperatorMessages;
  /** The verdicts where no rule of the operator matches. They can only be stricter than the built-in rules. */
  readonly verdicts?: Readonly<Partial<Record<Act, Verdict>>>;
  /**
   * The time a call waits for an approval, unless the operator sets one or there is an `approver`. Defaults to the
   * native one.
   */
  readonly approvalWaitMs?: number;
  /** The permission bits of new files and directories, less the umask. Defaults to the usual ones. */
  readonly modes?: { readonly file: number; readonly directory: number };
}

/** Holds the lines of another server for its operator. */
export interface OperatorMessages {
  readonly running: string;
  readonly noneUsable: string;
  skipped(directory: string, isThere: boolean): string;
  replaced(count: number): string;
}

/** One tool of a dialect. Its schemas are shown complete, unlike those of native tools. */
export interface DialectTool<Input = never, Uses extends NativeName = NativeName> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Partial<Annotations>;
  readonly input: z.ZodObject;
  readonly output?: z.ZodObject;
  /** The native tools that it calls. It is hidden if one of them is. */
  readonly uses: readonly Uses[];
  /** Is true if it makes no native call: then hooks get the call under its own name. */
  readonly makesNoNativeCalls?: boolean;
  /** The acts that rules know. It is hidden if the rules block all of them in every root. */
  readonly acts?: readonly Act[];
  /** Returns a longer description, for faces that can show it. */
  definition?(): Definition;
  /** Returns true if the call only polls for events, so that the loop guard allows it. */
  polls?(input: Input): boolean;
  run(input: Input, native: Native<Uses>): Promise<DialectAnswer>;
}

/** Infers the types of `run` from the schema and `uses`, and returns the tool without them. */
export const dialectTool = <Schema extends z.ZodObject, const Uses extends NativeName>(
  tool: DialectTool<z.output<Schema>, Uses> & { readonly input: Schema },
): DialectTool => tool;

/** An answer of a dialect. */
export interface DialectAnswer {
  readonly blocks: readonly Block[];
  readonly data?: Readonly<Record<string, unknown>>;
  /** Defaults to true for refusals and to false for other answers. */
  readonly isError?: boolean;
  /** Is true if only the model needs the answer: a host need not show it to the user. */
  readonly isSilent?: boolean;
}

/** Returns an answer of text, with structured data if the dialect has any. */
export const textAnswer = (text: string, data?: DialectAnswer["data"]): DialectAnswer => ({
  blocks: [{ kind: "text", text }],
  ...(data && { data }),
});

/** The call that failed, with its raw arguments. */
export interface FailedCall {
  readonly tool: string;
  readonly input: unknown;
}

/** Serves a session in a dialect. Tools that the session may not use are not listed. */
export function dialectSurface(dialect: Dialect, session: Session): Surface {
  // Tools and rules may change while a session lasts.
  const tools = () => usableTools(dialect, session.toolset()).filter((tool) => !isBlocked(tool, session));
  const currentDialect = (): Dialect => ({ ...dialect, tools: tools() });
  return {
    get tools() {
      void session.reload();
      return tools().map(offeredDialectTool);
    },
    onToolsChanged: toolChangesOf(session, tools),
    call: (request) => around(session, request, dialectCalls(currentDialect(), session, request)),
    ...(dialect.instructions !== undefined && { instructions: dialect.instructions }),
  };
}

/** Serves while no root is usable: tools are listed, and every call fails with the reason. */
export const surfaceWithoutRoots = (dialect: Dialect, toolset: Toolset, reason: Fault): Surface => ({
  tools: usableTools(dialect, toolset).map(offeredDialectTool),
  call: (request) => faultReply(dialect, reason, request, nativeWithoutRoots(reason)),
});

const nativeWithoutRoots = (reason: Fault): Native => ({
  roots: [],
  sources: new Map(),
  call: () => Promise.reject(reason),
  within: () => nativeWithoutRoots(reason),
  facts: { startedMs: 0, disks: () => [] },
  alert: () => Promise.reject(reason),
});

const usableTools = ({ tools }: Dialect, { byName }: Toolset): readonly DialectTool[] =>
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

/** Runs the calls of a dialect. Its native calls are hooked and audited as such. */
function dialectCalls(dialect: Dialect, session: Session, request: Request): CallKind<DialectTool, never, Reply> {
  const labelOf = (name: string): string => `${dialect.name}.${name}`;
  let nativeCalls = 0;
  const notes = createCollectedNotes();
  const listener: CallListener = { onCall: () => nativeCalls++, onAnswer: notes.add };
  const native = nativeOf(session, request, labelOf(request.tool), listener);
  const replyToFault = (error: unknown): Promise<Reply> => faultReply(dialect, error, request, native);
  return {
    labelOf,
    pluginOf: () => undefined,
    lookup: (name) => toolOf(dialect, name),
    parse: parseInput,
    isPoll: (tool, input) => tool.polls?.(input) ?? false,
    isHooked: (tool) => tool.makesNoNativeCalls === true,
    // A fault becomes an answer here, so that the loop guard counts it.
    run: async (tool, input) => {
      try {
        const reply: Reply = { isError: false, code: "ok", ...limitResultSize(await tool.run(input, native)) };
        return reply.isError ? reply : withNotes(reply, notes.all());
      } catch (error) {
        return replyToFault(error);
      }
    },
    failed: replyToFault,
    withWarning,
    isRecorded: () => nativeCalls === 0,
  };
}

async function faultReply(dialect: Dialect, error: unknown, call: FailedCall, native: Native): Promise<Reply> {
  const fault = toFault(error);
  return {
    isError: true,
    code: fault.code,
    error: answerOf(fault),
    ...(await faultAnswerOf(dialect, fault, call, native)),
  };
}

/** Falls back to our own message if the `answerFault` of a plugin's dialect throws. */
async function faultAnswerOf(dialect: Dialect, fault: Fault, call: FailedCall, native: Native): Promise<DialectAnswer> {
  try {
    return await dialect.answerFault(fault, call, native);
  } catch {
    const { message, hint } = answerOf(fault);
    return textAnswer(`${message}\n${hint}`);
  }
}

function toolOf({ tools }: Dialect, name: string): DialectTool {
  const tool = tools.find((each) => each.name === name);
  if (tool) return tool;
  const names = tools.map((each) => each.name);
  const help = didYouMean(name, names, `the tools are ${names.join(", ")}`);
  throw new Fault("unknown_tool", `Cannot call ${quotedInput(name)}: there is no such tool; ${help}`, { tools: names });
}

/** Validates arguments. The fault has the zod `issues`, for dialects that format them themselves. */
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
