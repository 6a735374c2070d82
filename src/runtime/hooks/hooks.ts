import { Fault, isFault } from "../../base/errors.ts";
import { withTimeout } from "../../base/timeout.ts";
import { isRecord } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import { quotedInput } from "../../text/did-you-mean.ts";
import type { Audit } from "../audit/audit.ts";

/** Describes a call to a hook, with placeholders for secrets in its arguments. */
export interface HookedCall {
  readonly tool: string;
  /** Names the plugin that the tool comes from. */
  readonly plugin?: string | undefined;
  readonly input: unknown;
  readonly session: string;
}

/** Describes the result of a call to a hook. */
export interface HookedResult extends HookedCall {
  readonly isError: boolean;
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Returns nothing, the reason why the call must not be made, or other arguments, which are checked like any others. A
 * hook that throws, takes longer than 10 s or returns anything else refuses the call, and the operator is warned.
 */
export type BeforeCall = (
  call: HookedCall,
) => BeforeCallAnswer | undefined | void | Promise<BeforeCallAnswer | undefined | void>;

export interface BeforeCallAnswer {
  /** Refuses the call, with this reason for the model. */
  readonly block?: string | undefined;
  /** Replaces all arguments of the call. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/** Receives the result. Nothing waits for it, and its failure changes nothing but warns the operator. */
export type AfterCall = (result: HookedResult) => unknown;

/** Holds code that runs before and after every call. */
export interface Hooks {
  readonly beforeCall?: BeforeCall | undefined;
  readonly afterCall?: AfterCall | undefined;
}

/** Holds hooks with the name that warnings use. */
export interface NamedHooks {
  readonly name?: string;
  /** Returns an answer that is still to be validated. */
  readonly beforeCall?: ((call: HookedCall) => unknown) | undefined;
  readonly afterCall?: AfterCall | undefined;
}

/** Runs all hooks of a session in order. */
export interface HookChain {
  readonly isEmpty: boolean;
  /** Returns the arguments that replace the given ones, or undefined. Throws when a hook blocks, fails or times out. */
  before(call: HookedCall): Promise<unknown>;
  after(result: HookedResult): void;
}

export function createHooks(hooks: readonly NamedHooks[], operator: HookReporting): HookChain {
  const runHook = createHookRunner(operator);
  const named = hooks.map((each, nth) => ({ ...requireHooks(each, nth), name: each.name ?? `hooks[${nth}]` }));
  return {
    isEmpty: hooks.length === 0,
    async before(call) {
      let changed: Readonly<Record<string, unknown>> | undefined;
      for (const { name, beforeCall } of named) {
        if (!beforeCall) continue;
        const seen = { ...call, input: changed ?? call.input };
        const run = async () => parseBeforeAnswer(await beforeCall(structuredClone(seen)));
        const answer = await runHook(run, { hook: name, when: "before", call });
        if (answer?.block !== undefined) throw blockedFault(call.tool, answer.block);
        changed = answer?.input ?? changed;
      }
      return changed;
    },
    after(result) {
      for (const { name, afterCall } of named) {
        if (!afterCall) continue;
        const run = async () => afterCall(structuredClone(result));
        void runHook(run, { hook: name, when: "after", call: result }).catch(() => {});
      }
    },
  };
}

/** Throws for unknown keys: a hook under a misspelled name would never run. */
function requireHooks(hooks: NamedHooks, nth: number): NamedHooks {
  if (isRecord(hooks) && Object.entries(hooks).every(isHook)) return hooks;
  throw new Fault(
    "invalid_input",
    `Cannot start: the option "hooks" is wrong: hooks[${nth}] has to be an object with functions beforeCall or afterCall`,
  );
}

const isHook = ([name, hook]: readonly [string, unknown]): boolean =>
  name === "name" || (HOOKS.includes(name) && (hook === undefined || typeof hook === "function"));

const HOOKS: readonly string[] = ["beforeCall", "afterCall"] satisfies readonly (keyof Hooks)[];

const blockedFault = (tool: string, reason: string): Fault =>
  new Fault("denied", `Cannot call "${tool}": ${reason.slice(0, LIMITS.argumentChars)}`, { blocked_by: "hook" });

/**
 * Validates the answer of a hook. Throws for a malformed one: what was meant as a refusal must not let the call pass.
 */
function parseBeforeAnswer(answer: unknown): BeforeCallAnswer | undefined {
  if (answer === undefined || answer === null) return undefined;
  if (!isRecord(answer)) throw invalidAnswerError(`it answered a ${Array.isArray(answer) ? "list" : typeof answer}`);
  const unknownKey = Object.keys(answer).find((key) => key !== "block" && key !== "input");
  if (unknownKey !== undefined) throw invalidAnswerError(`its answer has an unknown key ${quotedInput(unknownKey)}`);
  const { block, input } = answer;
  if (block !== undefined && typeof block !== "string")
    throw invalidAnswerError('the "block" of its answer is no text');
  if (input !== undefined && !isRecord(input)) throw invalidAnswerError('the "input" of its answer is no object');
  return { block, input: structuredClone(input) };
}

const invalidAnswerError = (problem: string): Error =>
  new Error(`${problem}; it can answer nothing, { "block": "<reason>" } or { "input": { … } }`);

/** Receives the failures of hooks. */
export interface HookReporting {
  readonly audit: Pick<Audit, "record">;
  readonly warn: (message: string) => void;
}

interface HookRun {
  readonly hook: string;
  readonly when: "before" | "after";
  readonly call: HookedCall;
}

/**
 * Runs a hook. Writes each failure to the audit log, and warns the operator when it differs from the last one of this
 * hook, since a broken hook fails at every call. The model learns only that it failed, since it cannot fix it.
 */
function createHookRunner({ audit, warn }: HookReporting) {
  const reported = new Map<string, string>();
  return async <Answer>(run: () => Promise<Answer>, { hook, when, call }: HookRun): Promise<Answer> => {
    try {
      const answer = await withTimeout(LIMITS.hookMs, run, timeoutFault);
      reported.delete(hook);
      return answer;
    } catch (error) {
      if (isFault(error) && error.code !== "timeout") throw error;
      const reason = error instanceof Error ? error.message : String(error);
      audit.record({
        time: Date.now(),
        session: call.session,
        tool: call.tool,
        code: "hook_failed",
        hook,
        when,
        reason,
        ms: 0,
      });
      const refused = when === "before" ? " and refused the call" : "";
      if (reported.get(hook) !== reason) warn(`The hook ${hook} failed ${when} "${call.tool}"${refused}: ${reason}`);
      reported.set(hook, reason);
      throw hookFailedFault(call.tool);
    }
  };
}

const timeoutFault = (): Fault => new Fault("timeout", `it took longer than ${LIMITS.hookMs / 1000} s`);

const hookFailedFault = (tool: string): Fault =>
  new Fault("denied", `Cannot call "${tool}": a hook that is asked before every call failed`, {
    blocked_by: "hook",
    hint: "Tell the user: why it failed is on standard error of the server and in the audit log; calls are refused until it works",
  });
