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

/** Files for an agent, in process. */
export interface Holdfast {
  call(name: string, input: unknown, options?: CallOptions): Promise<CallResult>;
  close(): void;
}

/** Throws when none of the roots can be used. */
export function createHoldfast(options: Options): Holdfast {
  const app = createApp(options);
  return {
    async call(tool, input, { signal = new AbortController().signal } = {}) {
      const { isError, blocks, data } = await call(app.session, { tool, input, signal });
      return { isError, text: textOf(blocks), data };
    },
    close: app.close,
  };
}
