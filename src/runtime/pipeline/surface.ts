import type { FaultAnswer } from "../../base/errors.ts";
import { type JsonSchema, jsonSchemaOf, listedInput } from "../../schema/listed.ts";
import type { Annotations, Block, Tool } from "../../tools/tool.ts";
import { call } from "./call.ts";
import type { Outcome } from "./outcome.ts";
import type { Request } from "./request.ts";
import type { Session } from "./session.ts";

/** What a face serves: tools to list, and the one way to call them. In whose words, no face knows. */
export interface Surface {
  readonly tools: readonly OfferedTool[];
  /** Awaited before tools are listed, where some come from programs that have to be asked for theirs. */
  ready?(): Promise<void>;
  /** Calls back whenever others are listed than before, because the operator wrote so. */
  onToolsChanged?(tell: () => void): void;
  call(request: Request): Promise<Reply>;
  /** What a model should know before its first call. */
  readonly instructions?: string;
  /** Where files are offered besides the tools. */
  readonly files?: Files;
}

/** A tool as clients are told of it. */
export interface OfferedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Partial<Annotations>;
  /** Only for the person whom the agent belongs to. */
  readonly ownerOnly?: boolean;
  /** Made when asked for: most sessions list once. */
  inputSchema(): JsonSchema;
  outputSchema?(): JsonSchema;
  /** What its dialect knows of it beyond that. */
  definition?(): Definition;
}

/** All that a caller may want to know of a tool, as data. */
export type Definition = Readonly<Record<string, unknown>> & { readonly name: string };

/** What a caller is told. */
export interface Reply {
  readonly isError: boolean;
  /** "ok", or the code of the fault. */
  readonly code: string;
  readonly blocks: readonly Block[];
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** The fault in our own words, whatever the dialect calls it. There whenever `isError` is. */
  readonly error?: FaultAnswer | undefined;
  /** For the model only: a host need not show it to the user. */
  readonly isSilent?: boolean | undefined;
}

/** Native calls for a program that walks the files itself. */
export interface Files {
  readonly roots: readonly string[];
  ask(request: Request): Promise<Outcome>;
}

/** The native tools in their own words. */
export const nativeSurface = (session: Session): Surface => ({
  get tools() {
    const { listed } = session.toolset();
    return listed.map((tool) =>
      offeredToolOf(tool.resumes ? { ...tool, annotations: combinedAnnotations(listed) } : tool),
    );
  },
  ...(session.lazyTools && { ready: session.lazyTools.loadAll }),
  onToolsChanged: toolChangesOf(session, () => session.toolset().listed),
  call: async (request) => replyOf(await call(session, request)),
  instructions:
    "Paths are absolute, or relative to the roots; the session tool names them. A cut answer says how to go on.",
  files: {
    roots: session.workspace.roots.map(({ given }) => given),
    ask: (request) => call(session, { ...request, repeats: true }),
  },
});

/** The reply that an outcome of a native call is. */
export const replyOf = (outcome: Outcome): Reply =>
  outcome.isError ? { ...outcome, error: outcome.data["error"] as FaultAnswer } : outcome;

/** Tells of each renewal that leaves other tools than the one before. */
export function toolChangesOf(
  { onReload }: Session,
  listed: () => readonly { readonly name: string }[],
): (tell: () => void) => void {
  const names = (): string =>
    listed()
      .map(({ name }) => name)
      .join();
  return (tell) => {
    let known = names();
    onReload(() => {
      const before = known;
      known = names();
      if (known !== before) tell();
    });
  };
}

/** What a tool does that may do what any of these does. */
const combinedAnnotations = (tools: readonly Tool[]): Annotations => ({
  readOnlyHint: tools.every(({ annotations }) => annotations.readOnlyHint),
  destructiveHint: tools.some(({ annotations }) => annotations.destructiveHint),
  idempotentHint: tools.every(({ annotations }) => annotations.idempotentHint),
  openWorldHint: tools.some(({ annotations }) => annotations.openWorldHint),
});

const offeredToolOf = ({
  name,
  title,
  description,
  annotations,
  ownerOnly,
  input,
  output,
  shows,
}: Tool): OfferedTool => ({
  name,
  title,
  description,
  annotations,
  ...(ownerOnly && { ownerOnly }),
  inputSchema: () => shows ?? listedInput(input),
  ...(!shows && { outputSchema: () => jsonSchemaOf(output) }),
});
