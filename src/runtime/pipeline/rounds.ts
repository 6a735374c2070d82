import type { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { CallContext } from "./call-context.ts";

/** Says why a call has to be planned once more. */
export type Again =
  /** The plan needs a place that may be opened only after a yes. */
  | { readonly again: "needs_approval"; readonly place: SafePath; readonly fault: Fault }
  /** Somebody answered a question, and the files may have changed since it was asked. */
  | { readonly again: "answered" }
  /** Another call used up a limit after this one was decided. */
  | { readonly again: "limited" }
  /** The files changed between plan and commit. */
  | { readonly again: "overtaken"; readonly fault: Fault; readonly hasAsked: boolean };

/** Bounds how often and how long one call is planned again. */
export interface Rounds {
  begin(): Promise<void>;
  end(): void;
  /** Throws the fault of a call that has gone round often enough. */
  goRound(reason: Again): void;
}

/**
 * Queues calls that were overtaken from their second round on: all at once, each would overtake the others time and
 * again. A call that asked a person skips the queue, and the time the person took does not count as its own.
 */
export function createRounds({ session, view }: CallContext): Rounds {
  let rounds = 0;
  let questions = 0;
  let spentMs = 0;
  let startedMs = 0;
  let isQueued = false;
  let release: (() => void) | undefined;
  return {
    async begin() {
      if (isQueued) release = await session.replanning.acquire(view.checkpoint);
      startedMs = Date.now();
    },
    end() {
      release?.();
      release = undefined;
    },
    goRound(reason) {
      rounds++;
      const hasAsked = reason.again === "answered" || (reason.again === "overtaken" && reason.hasAsked);
      isQueued = reason.again === "overtaken" && !reason.hasAsked;
      if (!hasAsked) spentMs += Date.now() - startedMs;
      if (reason.again === "overtaken" && (rounds >= LIMITS.replans || spentMs > LIMITS.replanMs)) throw reason.fault;
      if (reason.again !== "needs_approval") return;
      if (questions >= LIMITS.questionsPerCall) throw reason.fault;
      questions++;
      rounds = 0;
      spentMs = 0;
    },
  };
}
