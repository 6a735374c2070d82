import type { FaultAnswer } from "../../base/errors.ts";
import { type JsonSchema, jsonSchemaOf, listedInput } from "../../schema/listed-schema.ts";
import type { Annotations, Block, Tool } from "../../tools/tool.ts";
import { call } from "./call.ts";
import type { Outcome } from "./outcome.ts";
import type { Request } from "./request.ts";
import type { JobEndSink } from "../sessions/job-ends.ts";
import type { Session } from "../sessions/session.ts";

/** Lists and calls the tools that a face serves, native ones or those of a dialect. Faces cannot tell which. */
export interface Surface {
  readonly tools: readonly OfferedTool[];
  /** Must be awaited before tools are listed. Is present where servers have to be asked for their tools. */
  ready?(): Promise<void>;
  /** Calls the listener whenever a change of the configuration lists other tools. */
  onToolsChanged?(listener: () => void): void;
  /** Calls the listener at the end of each background command of the session. */
  onJobEnd?(listener: JobEndSink): void;
  call(request: Request): Promise<Reply>;
  /** Tells a model what it should know before its first call. */
  readonly instructions?: string;
  /** Offers the files themselves, as resources; undefined where only tools are served. */
  readonly files?: Files;
}

/** Describes a tool to clients. */
export interface OfferedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Partial<Annotations>;
  /** Restricts the tool to the owner of the agent. */
  readonly ownerOnly?: boolean;
  /** Builds the schema lazily, since most sessions list tools once. */
  inputSchema(): JsonSchema;
  outputSchema?(): JsonSchema;
  /** Returns what its dialect knows about it beyond that. */
  definition?(): Definition;
}

/** Holds everything that a caller may want to know about a tool, as data. */
export type Definition = Readonly<Record<string, unknown>> & { readonly name: string };

/** Holds the answer to a call, as every face sends it. */
export interface Reply {
  readonly isError: boolean;
  /** Is "ok", or the code of the fault. */
  readonly code: string;
  readonly blocks: readonly Block[];
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** Holds the native fault, whatever the dialect calls it. Is present whenever `isError` is true. */
  readonly error?: FaultAnswer | undefined;
  /** Marks an answer for the model only, which a host need not show to the user. */
  readonly isSilent?: boolean | undefined;
}

/** Makes native calls for a face that reads files itself. */
export interface Files {
  readonly roots: readonly string[];
  call(request: Request): Promise<Outcome>;
}

/** Serves the native tools. */
export const nativeSurface = (session: Session): Surface => ({
  get tools() {
    // Clients may list tools without ever calling one: a change of the configuration is listed soon, too.
    void session.reload();
    const { listed } = session.toolset();
    return listed.map((tool) =>
      offeredToolOf(tool.resumesCalls ? { ...tool, annotations: combinedAnnotations(listed) } : tool),
    );
  },
  ...(session.lazyTools && { ready: session.lazyTools.loadAll }),
  onToolsChanged: toolChangesOf(session, () => session.toolset().listed),
  onJobEnd: session.jobEnds.onEnd,
  call: async (request) => replyOf(await call(session, request)),
  instructions:
    "Paths are absolute, or relative to the roots; the session tool names them. A cut answer says how to go on.",
  files: {
    roots: session.workspace.roots.map(({ given }) => given),
    call: (request) => call(session, { ...request, repeats: true }),
  },
});

/** Turns the outcome of a native call into a reply. */
export const replyOf = (outcome: Outcome): Reply =>
  outcome.isError ? { ...outcome, error: outcome.data["error"] as FaultAnswer } : outcome;

/** Returns a subscription that fires after each reload that lists other tools than before. */
export function toolChangesOf(
  { onReload }: Session,
  listed: () => readonly { readonly name: string }[],
): (listener: () => void) => void {
  const names = (): string =>
    listed()
      .map(({ name }) => name)
      .join();
  return (listener) => {
    let known = names();
    onReload(() => {
      const before = known;
      known = names();
      if (known !== before) listener();
    });
  };
}

/** Combines the annotations for a tool that may do whatever any of these does. */
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
  inputSchema,
}: Tool): OfferedTool => ({
  name,
  title,
  description,
  annotations,
  ...(ownerOnly && { ownerOnly }),
  inputSchema: () => inputSchema ?? listedInput(input),
  ...(!inputSchema && { outputSchema: () => jsonSchemaOf(output) }),
});
