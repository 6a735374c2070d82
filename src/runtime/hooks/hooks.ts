import { Fault, isFault } from "../../base/errors.ts";
import { withTimeout } from "../../base/timeout.ts";
import { isRecord } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import { quotedInput } from "../../text/did-you-mean.ts";
import type { Audit } from "../audit/audit.ts";

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

/**
 * Answers nothing, or why the call must not be made, or what its arguments are to be instead: these are judged like any
 * others. One that throws, takes longer than 10 s or answers anything else refuses the call, and the operator is told.
 */
export type BeforeCall = (
  call: HookedCall,
) => BeforeAnswer | undefined | void | Promise<BeforeAnswer | undefined | void>;

export interface BeforeAnswer {
  /** The call is refused, and the model is told this. */
  readonly block?: string | undefined;
  /** All arguments that the call is made with instead. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/** Is told. Nobody waits for it; what goes wrong in it changes nothing, and the operator is told. */
export type AfterCall = (result: HookedResult) => unknown;

/** Code of whoever runs this, before and after every call. */
export interface Hooks {
  readonly beforeCall?: BeforeCall | undefined;
  readonly afterCall?: AfterCall | undefined;
}

/** Hooks with the name that the operator knows them by. */
export interface NamedHooks {
  readonly name?: string;
  /** Its answer is not believed to be one. */
  readonly beforeCall?: ((call: HookedCall) => unknown) | undefined;
  readonly afterCall?: AfterCall | undefined;
}

/** All hooks of a session, in their order. */
export interface HookChain {
  readonly isEmpty: boolean;
  /** What the arguments are to be instead, or undefined. Throws when one blocks, fails, or takes too long. */
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

/** A hook under another name would never be asked. */
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

/** Throws in words what is wrong with an answer: one that only looks like a refusal must not let the call pass. */
function parseBeforeAnswer(said: unknown): BeforeAnswer | undefined {
  if (said === undefined || said === null) return undefined;
  if (!isRecord(said)) throw invalidAnswerError(`it answered a ${Array.isArray(said) ? "list" : typeof said}`);
  const stray = Object.keys(said).find((key) => key !== "block" && key !== "input");
  if (stray !== undefined) throw invalidAnswerError(`its answer has an unknown key ${quotedInput(stray)}`);
  const { block, input } = said;
  if (block !== undefined && typeof block !== "string")
    throw invalidAnswerError('the "block" of its answer is no text');
  if (input !== undefined && !isRecord(input)) throw invalidAnswerError('the "input" of its answer is no object');
  return { block, input: structuredClone(input) };
}

const invalidAnswerError = (problem: string): Error =>
  new Error(`${problem}; it can answer nothing, { "block": "<reason>" } or { "input": { … } }`);

/** Who is told what goes wrong in hooks. */
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
 * Runs a hook. Its failure goes into the audit log each time, and to the operator when it is another than the last one of
 * this hook: one that is broken fails at every call. The model learns that it failed and not why: it cannot mend it.
 */
function createHookRunner({ audit, warn }: HookReporting) {
  const told = new Map<string, string>();
  return async <Answer>(run: () => Promise<Answer>, { hook, when, call }: HookRun): Promise<Answer> => {
    try {
      const answer = await withTimeout(LIMITS.hookMs, run, timeoutFault);
      told.delete(hook);
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
      if (told.get(hook) !== reason) warn(`The hook ${hook} failed ${when} "${call.tool}"${refused}: ${reason}`);
      told.set(hook, reason);
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
