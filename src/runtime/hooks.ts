import { Fault, isFault } from "../base/errors.ts";
import { inTime } from "../base/in-time.ts";
import { LIMITS } from "../base/limits.ts";

/** A call as a hook sees it: what was asked for, with handles where it means secrets. */
export interface HookedCall {
  readonly tool: string;
  /** The plugin that brought the tool. */
  readonly plugin?: string | undefined;
  readonly input: unknown;
  readonly session: string;
}

/** What came of a call. */
export interface HookedResult extends HookedCall {
  readonly isError: boolean;
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Says nothing, or why the call must not be made, or what its arguments are to be instead: these are judged like any others. */
export type BeforeCall = (
  call: HookedCall,
) => BeforeAnswer | undefined | void | Promise<BeforeAnswer | undefined | void>;

export interface BeforeAnswer {
  readonly block?: string | undefined;
  readonly input?: unknown;
}

/** Is told. Nobody waits for it, and what goes wrong in it changes nothing. */
export type AfterCall = (result: HookedResult) => unknown;

/** Code of whoever runs this, before and after every call. */
export interface Hooks {
  readonly beforeCall?: BeforeCall | undefined;
  readonly afterCall?: AfterCall | undefined;
}

/** All hooks of a session, in their order. */
export interface HookChain {
  readonly isEmpty: boolean;
  /** What the arguments are to be instead, or undefined. Throws when one blocks, fails, or takes too long. */
  before(call: HookedCall): Promise<unknown>;
  after(result: HookedResult): void;
}

export const createHooks = (hooks: readonly Hooks[], warn: (message: string) => void): HookChain => ({
  isEmpty: hooks.length === 0,
  async before(call) {
    let changed: unknown;
    for (const { beforeCall } of hooks) {
      if (!beforeCall) continue;
      const input = structuredClone(changed ?? call.input);
      const answer = await tended(call.tool, async () => beforeCall({ ...call, input }));
      if (answer?.block !== undefined) throw blocked(call.tool, answer.block);
      changed = answer?.input ?? changed;
    }
    return changed;
  },
  after(result) {
    for (const { afterCall } of hooks) {
      if (afterCall)
        void tended(result.tool, async () => afterCall(structuredClone(result))).catch((error: unknown) =>
          warn(`A hook after ${JSON.stringify(result.tool)} failed: ${String(error)}`),
        );
    }
  },
});

const blocked = (tool: string, reason: string): Fault =>
  new Fault("denied", `Cannot call "${tool}": ${reason.slice(0, LIMITS.argumentChars)}`, { blocked_by: "hook" });

/** A hook that fails lets nothing pass: it may be there to stop exactly this. */
async function tended<Answer>(tool: string, run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await inTime(LIMITS.hookMs, run, () => failed(tool, `it took longer than ${LIMITS.hookMs / 1000} s`));
  } catch (error) {
    throw isFault(error) ? error : failed(tool, String(error));
  }
}

const failed = (tool: string, reason: string): Fault =>
  new Fault("denied", `Cannot call "${tool}": a hook that is asked before failed: ${reason}`, { blocked_by: "hook" });
