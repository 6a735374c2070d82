import { createApp, type Options } from "../../app.ts";
import { call, textOf } from "../../runtime/call.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface CallResult {
  readonly isError: boolean;
  /** What a model reads. */
  readonly text: string;
  /** The tool's structured output, or `{ error }`. */
  readonly data: Readonly<Record<string, unknown>>;
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
  call(name: string, input: unknown, options?: CallOptions): Promise<CallResult>;
  /** The tool `undo`. */
  undo(options?: UndoOptions): Promise<CallResult>;
  /** The tool `history`. */
  history(options?: HistoryOptions): Promise<CallResult>;
  /** When a person has looked: calls that were refused for going in circles may be made again. */
  resetLoopGuard(): void;
  close(): void;
}

/** Throws when none of the roots can be used. */
export function createHoldfast(options: Options): Holdfast {
  const app = createApp(options);
  const ask: Holdfast["call"] = async (tool, input, { signal = new AbortController().signal } = {}) => {
    const { isError, blocks, data } = await call(app.session, { tool, input, signal });
    return { isError, text: textOf(blocks), data };
  };
  return {
    call: ask,
    undo: ({ signal, ...input } = {}) => ask("undo", input, signal && { signal }),
    history: ({ signal, ...input } = {}) => ask("history", input, signal && { signal }),
    resetLoopGuard: app.session.loop.reset,
    close: app.close,
  };
}
