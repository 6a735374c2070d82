import { createApp } from "../../app/app.ts";
import type { Options } from "../../app/options.ts";
import type { FaultAnswer } from "../../base/errors.ts";
import { call } from "../../runtime/pipeline/call.ts";
import { type Reply, replyOf } from "../../runtime/pipeline/surface.ts";
import type { Provider } from "../../schema/providers.ts";
import { textOf } from "../../tools/tool.ts";
import { type AgentTool, agentToolOf, type Progress, progressTo } from "./agent-tool.ts";
import { checkOptions, type OptionKinds } from "./checked-options.ts";
import { normalizeTool } from "./normalize-tool.ts";
import { type PluginOption, checkedPluginsOf } from "./checked-plugins.ts";
import { type Policy, rulesOf } from "./policy.ts";
import type { ErrorOf, InputOf, OutputOf, ToolName, ToolOutput } from "./tool-types.ts";
import { warnOf } from "./default-warn.ts";
import { type WatchedEvent, watchEvents, type WatchOptions } from "./watch-events.ts";

export interface HoldfastOptions extends Omit<Options, "plugins" | "container" | "isOneCall"> {
  /** Plugins to load. One that cannot be used is reported to `warn` and skipped. */
  readonly plugins?: readonly PluginOption[] | undefined;
  /** Rules for what calls may do. Where a rule says "approval", the `approver` is asked. */
  readonly policy?: Policy | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Receives how far a long call is: entries that were walked, copied or deleted. */
  readonly onProgress?: (progress: Progress) => void;
}

/** The result of a call. If it failed, `error` says why. */
export type CallResult<Data = Readonly<Record<string, unknown>>, Failure = unknown> =
  | CallAnswer<Data>
  | CallFault<Failure>;

interface CallText {
  /** The text for the model. */
  readonly text: string;
  /** Is set if only the model needs the text: it need not be shown to the user. */
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
  /** The error in Holdfast's own codes and words, whatever the dialect. */
  readonly error: FaultAnswer;
  /** The error as structured output. `data.error` equals `error`, unless the dialect has errors of its own. */
  readonly data: Readonly<Record<string, unknown>> & { readonly error: Failure };
}

/** Selects the changes to undo. Defaults to the last change made through this handle. */
export interface UndoOptions extends CallOptions {
  readonly changeId?: string;
  /** All changes of a session. */
  readonly session?: string;
  /** All changes since an ISO time. */
  readonly since?: string;
  /** Only changes to this path. */
  readonly path?: string;
  /** Show what would happen, change nothing. */
  readonly dryRun?: boolean;
}

export interface HistoryOptions extends CallOptions {
  /** Only changes of this file, or of files in this directory. */
  readonly path?: string;
  readonly session?: string;
  readonly since?: string;
  readonly limit?: number;
  /** The cursor of an answer that was cut, to continue from there. */
  readonly cursor?: string;
}

/** Serves files to an agent in the same process. */
export interface Holdfast {
  /** Returns the tools to offer a model, in the dialect's names, ready for an agent's loop. */
  tools(): readonly AgentTool[];
  /** Returns the same tools with schemas that the model's provider accepts. */
  toolsFor(provider: Provider): readonly AgentTool[];
  /** Calls a tool. Does not reject when the tool fails: the result has the error. */
  call<const Name extends ToolName | (string & {})>(
    name: Name,
    input: InputOf<Name>,
    options?: CallOptions,
  ): Promise<CallResult<OutputOf<Name>, ErrorOf<Name>>>;
  /** Calls the tool `undo`. */
  undo(options?: UndoOptions): Promise<CallResult<ToolOutput<"undo">, FaultAnswer>>;
  /** Calls the tool `history`. */
  history(options?: HistoryOptions): Promise<CallResult<ToolOutput<"history">, FaultAnswer>>;
  /** Allows calls again that were refused because the agent repeated itself. Call it after a person has looked. */
  resetLoopGuard(): void;
  /**
   * Calls the tool `watch` as a loop: `for await (const event of await holdfast.watch("src"))`. Rejects with a `Fault`.
   */
  watch(path: string, options?: WatchOptions): Promise<AsyncGenerator<WatchedEvent, void>>;
  /**
   * Starts the plugins' MCP servers. Resolves once they have listed their tools: from then on `tools` includes them.
   */
  ready(): Promise<void>;
  /** Ends every watch and every MCP server of a plugin. */
  close(): void;
}

/** Opens the roots for an agent. Throws when none of them can be used, or when an option is unknown or wrong. */
export function createHoldfast(options: HoldfastOptions): Holdfast {
  checkOptions(options, KINDS);
  return openHoldfast(options);
}

const KINDS: OptionKinds<HoldfastOptions> = {
  roots: "roots",
  storages: "object",
  sources: "object",
  tools: "list",
  plugins: "list",
  pluginFiles: "list",
  dialect: "dialect",
  contextWindow: "number",
  loopDetection: "flag or object",
  readOnly: "flag",
  profile: "text",
  exec: "object",
  toolConfig: "object",
  originOf: "function",
  agentContext: "object",
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
  approverChannel: "text",
  approvalWebhook: "object",
  approvalSocket: "object",
  approvalWaitMs: "number",
  onApprovalRequest: "function",
  cliCommand: "function",
  auditRequired: "flag",
  onNotice: "function",
  onJobEnd: "function",
  onAlert: "function",
  alerts: "object",
  diagnostics: "object",
  warn: "function",
};

/** Does the same for options that are known to be valid. Options that are unknown here are ignored. */
export function openHoldfast({ policy, plugins, ...options }: HoldfastOptions & Pick<Options, "isOneCall">): Holdfast {
  const warn = warnOf(options);
  const { session, surface, close } = createApp({
    ...options,
    ...rulesOf(policy),
    ...checkedPluginsOf(plugins, warn),
    warn,
  });
  /** Calls a built-in tool: `undo` and `history` work in every dialect. */
  const ask = <Name extends ToolName>(tool: Name, input: object, signal = new AbortController().signal) =>
    call(session, { tool, input, signal }).then((outcome) => resultOf<ToolOutput<Name>, FaultAnswer>(replyOf(outcome)));
  const tools = (): readonly AgentTool[] => surface.tools.map((tool) => agentToolOf(tool, surface.call));
  return {
    tools,
    toolsFor: (provider) => tools().map((tool) => normalizeTool(tool, provider)),
    call: (tool, input, { signal = new AbortController().signal, onProgress } = {}) =>
      surface
        .call({ tool, input, signal, progress: progressTo(onProgress) })
        .then(resultOf<OutputOf<typeof tool>, ErrorOf<typeof tool>>),
    undo: ({ signal, ...input } = {}) => ask("undo", input, signal),
    history: ({ signal, ...input } = {}) => ask("history", input, signal),
    resetLoopGuard: session.loop.reset,
    watch: (path, watching) => watchEvents(session, path, watching),
    ready: async () => surface.ready?.(),
    close,
  };
}

/** Converts a reply. The casts hold because a tool's schema describes its data, and every failed reply has an error. */
function resultOf<Data, Failure>(reply: Reply): CallResult<Data, Failure> {
  const { isError, blocks, data = {}, error, isSilent } = reply;
  const common = { text: textOf(blocks), ...(isSilent && { isSilent }) };
  if (!isError) return { ...common, isError, data: data as never };
  return { ...common, isError, error: error as FaultAnswer, data: { error, ...data } as never };
}
