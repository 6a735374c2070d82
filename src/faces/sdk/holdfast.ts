import { createApp } from "../../app/app.ts";
import type { Options } from "../../app/options.ts";
import type { FaultAnswer } from "../../base/errors.ts";
import { call } from "../../runtime/pipeline/call.ts";
import { type Reply, replyOf } from "../../runtime/pipeline/surface.ts";
import type { Provider } from "../../schema/providers.ts";
import { textOf } from "../../tools/tool.ts";
import { type AgentTool, agentToolOf } from "./agent-tool.ts";
import { checkOptions, type OptionKinds } from "./checked-options.ts";
import { normalizeTool } from "./normalize-tool.ts";
import { type GivenPlugin, checkedPluginsOf } from "./joined-plugins.ts";
import { type Policy, rulesOf } from "./policy.ts";
import type { ErrorOf, InputOf, OutputOf, ToolName, ToolOutput } from "./tool-types.ts";
import { warnOf } from "./warning.ts";
import { type WatchedEvent, watchEvents, type WatchOptions } from "./watching.ts";

export interface HoldfastOptions extends Omit<Options, "plugins"> {
  /** What others add. One that cannot be used is told to `warn`, and harms nothing else. */
  readonly plugins?: readonly GivenPlugin[] | undefined;
  /** What a call may do. Where a rule says "approval", the `approver` is asked. */
  readonly policy?: Policy | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** What a call gave: `error` of a failed one tells why. */
export type CallResult<Data = Readonly<Record<string, unknown>>, Failure = unknown> =
  | CallAnswer<Data>
  | CallFault<Failure>;

interface CallText {
  /** What a model reads. */
  readonly text: string;
  /** For the model only: need not be shown to the user. */
  readonly isSilent?: true;
}

export interface CallAnswer<Data> extends CallText {
  readonly isError: false;
  readonly error?: undefined;
  /** The tool's structured output. */
  readonly data: Data & { readonly error?: undefined };
}

export interface CallFault<Failure = unknown> extends CallText {
  readonly isError: true;
  /** What went wrong, in Holdfast's own codes and words, whatever the dialect. */
  readonly error: FaultAnswer;
  /** The failure as structured output. `data.error` is the same as `error`, unless the dialect has errors of its own. */
  readonly data: Readonly<Record<string, unknown>> & { readonly error: Failure };
}

/** Which changes to take back; without any of these the last one made through this handle. */
export interface UndoOptions extends CallOptions {
  readonly changeId?: string;
  /** All of a session. */
  readonly session?: string;
  /** All since a moment, as an ISO time. */
  readonly since?: string;
  /** Only what was done to this path. */
  readonly path?: string;
  /** Show what would happen, change nothing. */
  readonly dryRun?: boolean;
}

export interface HistoryOptions extends CallOptions {
  /** Only changes of this file, or of what is in this directory. */
  readonly path?: string;
  readonly session?: string;
  readonly since?: string;
  readonly limit?: number;
  /** From an answer that was cut: where to go on. */
  readonly cursor?: string;
}

/** Files for an agent, in process. */
export interface Holdfast {
  /** The tools to offer a model, in the words of the dialect, ready for an agent's loop. */
  tools(): readonly AgentTool[];
  /** The same with parameters as the provider of a model takes them. */
  toolsFor(provider: Provider): readonly AgentTool[];
  /** Never rejects for what a tool finds: a fault is an answer. */
  call<const Name extends ToolName | (string & {})>(
    name: Name,
    input: InputOf<Name>,
    options?: CallOptions,
  ): Promise<CallResult<OutputOf<Name>, ErrorOf<Name>>>;
  /** The tool `undo`. */
  undo(options?: UndoOptions): Promise<CallResult<ToolOutput<"undo">, FaultAnswer>>;
  /** The tool `history`. */
  history(options?: HistoryOptions): Promise<CallResult<ToolOutput<"history">, FaultAnswer>>;
  /** When a person has looked: calls that were refused for going in circles may be made again. */
  resetLoopGuard(): void;
  /** The tool `watch`, as a loop: `for await (const event of await holdfast.watch("src"))`. Rejects with a `Fault`. */
  watch(path: string, options?: WatchOptions): Promise<AsyncGenerator<WatchedEvent, void>>;
  /** Settles once servers of plugins have told their tools: from then on `tools` has them. Starts these servers. */
  ready(): Promise<void>;
  /** Ends every watch, and every server of a plugin. */
  close(): void;
}

/** Throws when none of the roots can be used, or an option is not what it should be. */
export function createHoldfast(options: HoldfastOptions): Holdfast {
  checkOptions(options, KINDS);
  return openHoldfast(options);
}

const KINDS: OptionKinds<HoldfastOptions> = {
  roots: "directories",
  sources: "object",
  tools: "list",
  plugins: "list",
  pluginFiles: "list",
  dialect: "dialect",
  contextWindow: "number",
  loopDetection: "flag or object",
  readOnly: "flag",
  profile: "text",
  toolConfig: "object",
  originOf: "function",
  standing: "object",
  durability: "text",
  principal: "text",
  trashHours: "number",
  stateDirectory: "text",
  ripgrep: "function",
  policy: "object",
  ruleSource: "object",
  configFile: "text",
  hooks: "list",
  hookCommands: "object",
  secrets: "text",
  secretNames: "list",
  approver: "function",
  approverIs: "text",
  approvalWebhook: "object",
  approvalWaitMs: "number",
  asked: "function",
  program: "function",
  auditRequired: "flag",
  notice: "function",
  alert: "function",
  alerts: "object",
  warn: "function",
};

/** The same for options that are known to be right, among others that mean nothing here. */
export function openHoldfast({ policy, plugins, ...options }: HoldfastOptions): Holdfast {
  const warn = warnOf(options);
  const { session, surface, close } = createApp({
    ...options,
    ...rulesOf(policy),
    ...checkedPluginsOf(plugins, warn),
    warn,
  });
  /** What happened can be looked at and taken back in every dialect. */
  const ask = <Name extends ToolName>(tool: Name, input: object, signal = new AbortController().signal) =>
    call(session, { tool, input, signal }).then((outcome) => resultOf<ToolOutput<Name>, FaultAnswer>(replyOf(outcome)));
  const tools = (): readonly AgentTool[] => surface.tools.map((tool) => agentToolOf(tool, surface.call));
  return {
    tools,
    toolsFor: (provider) => tools().map((tool) => normalizeTool(tool, provider)),
    call: (tool, input, { signal = new AbortController().signal } = {}) =>
      surface.call({ tool, input, signal }).then(resultOf<OutputOf<typeof tool>, ErrorOf<typeof tool>>),
    undo: ({ signal, ...input } = {}) => ask("undo", input, signal),
    history: ({ signal, ...input } = {}) => ask("history", input, signal),
    resetLoopGuard: session.loop.reset,
    watch: (path, watching) => watchEvents(session, path, watching),
    ready: async () => surface.ready?.(),
    close,
  };
}

/** The schema of a tool promises what its data is; every failed reply has its error. */
function resultOf<Data, Failure>(reply: Reply): CallResult<Data, Failure> {
  const { isError, blocks, data = {}, error, isSilent } = reply;
  const told = { text: textOf(blocks), ...(isSilent && { isSilent }) };
  if (!isError) return { ...told, isError, data: data as never };
  return { ...told, isError, error: error as FaultAnswer, data: { error, ...data } as never };
}
