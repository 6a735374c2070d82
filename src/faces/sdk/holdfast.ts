import { createApp, type Options } from "../../app.ts";
import { call, textOf } from "../../runtime/call.ts";
import type { OfferedTool, Reply } from "../../runtime/surface.ts";
import { type WatchedEvent, watchOn, type WatchOptions } from "./watching.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface CallResult {
  readonly isError: boolean;
  /** What a model reads. */
  readonly text: string;
  /** The tool's structured output, or `{ error }`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** For the model only: need not be shown to the user. */
  readonly isSilent?: true;
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
  /** The tools to offer a model, in the words of the dialect. */
  readonly tools: readonly OfferedTool[];
  call(name: string, input: unknown, options?: CallOptions): Promise<CallResult>;
  /** The tool `undo`. */
  undo(options?: UndoOptions): Promise<CallResult>;
  /** The tool `history`. */
  history(options?: HistoryOptions): Promise<CallResult>;
  /** When a person has looked: calls that were refused for going in circles may be made again. */
  resetLoopGuard(): void;
  /** The tool `watch`, as a loop: `for await (const event of await holdfast.watch("src"))`. Rejects with a `Fault`. */
  watch(path: string, options?: WatchOptions): Promise<AsyncGenerator<WatchedEvent, void>>;
  /** Ends every watch. */
  close(): void;
}

/** Throws when none of the roots can be used. */
export function createHoldfast(options: Options): Holdfast {
  const app = createApp(options);
  /** What happened can be looked at and taken back in every dialect. */
  const ask = (tool: string, input: unknown, signal = new AbortController().signal) =>
    call(app.session, { tool, input, signal }).then(resultOf);
  return {
    tools: app.surface.tools,
    call: (tool, input, { signal = new AbortController().signal } = {}) =>
      app.surface.call({ tool, input, signal }).then(resultOf),
    undo: ({ signal, ...input } = {}) => ask("undo", input, signal),
    history: ({ signal, ...input } = {}) => ask("history", input, signal),
    resetLoopGuard: app.session.loop.reset,
    watch: (path, watching) => watchOn(app.session, path, watching),
    close: app.close,
  };
}

const resultOf = ({ isError, blocks, data = {}, isSilent }: Reply): CallResult => ({
  isError,
  text: textOf(blocks),
  data,
  ...(isSilent && { isSilent }),
});
