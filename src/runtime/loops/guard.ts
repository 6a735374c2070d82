import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { type Cycle, createCallHistory, type Detector } from "./history.ts";
import type { CallOutput, CallSignature } from "./signatures.ts";
import type { LoopSuspension } from "./suspensions.ts";

/** Detects loops by comparing calls and their results. A session has one. */
export interface LoopGuard {
  /** Throws `loop` when the call would continue a loop. The returned function must be called with the result. */
  begin(call: CallSignature): RecordResult;
  /** Forgets everything, after a person has looked at the session. */
  reset(): void;
}

/** Records the result of a call. Returns a warning for the model when one is due. */
export type RecordResult = (given: CallOutput) => string | undefined;

/** Is `tools.loopDetection` of the configuration. Missing keys have the documented defaults; all detectors are on. */
export interface LoopDetection {
  readonly enabled?: boolean | undefined;
  /** The number of calls that are remembered, at least as many as the breaker needs. */
  readonly historySize?: number | undefined;
  readonly warningThreshold?: number | undefined;
  readonly criticalThreshold?: number | undefined;
  readonly globalCircuitBreakerThreshold?: number | undefined;
  readonly detectors?: Readonly<Partial<Record<Detector, boolean | undefined>>> | undefined;
}

/** Never refuses. It serves callers that repeat on purpose. */
export const noLoopGuard: LoopGuard = { begin: () => () => undefined, reset: () => {} };

/** Creates a guard. It writes a suspension when it stops the session; a person lifts it by removing that. */
export function createLoopGuard(
  options: LoopDetection = {},
  stop: LoopSuspension = NO_SUSPENSION,
  session = "",
): LoopGuard {
  if (options.enabled === false) return noLoopGuard;
  const levels = levelsOf(options);
  const history = createCallHistory(levels.history);
  /** Holds the signatures of the calls that looped for too long. */
  let stopped: ReadonlySet<string> = new Set();
  let isSuspended = false;
  const resume = (): void => {
    stopped = new Set();
    if (isSuspended) stop.remove();
    isSuspended = false;
  };
  const reset = (): void => {
    history.clear();
    resume();
  };
  const reached = (level: Level, cycles: readonly Cycle[]): Cycle | undefined =>
    cycles.find((cycle) => options.detectors?.[cycle.detector] !== false && cycle.times >= levels[level](cycle));

  function check(tool: string, signature: string): void {
    // The suspension was removed, so a person has looked.
    if (isSuspended && stopped.has(signature) && !stop.exists()) reset();
    if (stopped.has(signature)) throw suspendedFault(tool, session);
    // A call that is not part of the cycle shows that something has changed.
    if (stopped.size > 0) resume();
    const cycles = history.cyclesOf(signature);
    if (cycles.length === 0) return;
    const endless = reached("breaker", cycles);
    if (endless) {
      stopped = history.lastSignatures(endless.times);
      isSuspended = stop.create(tool);
      throw suspendedFault(tool, session);
    }
    const cycle = reached("critical", cycles);
    if (!cycle) return;
    history.recordRefused(signature);
    throw loopFault(tool, cycle);
  }

  return {
    begin(call) {
      const signature = history.signatureFor(call);
      check(call.tool, signature);
      return (given) => {
        const { cycles, refusedInARow } = history.record(call, signature, given);
        const row: Cycle = { detector: "repeatedRefusals", times: refusedInARow };
        const cycle = reached("warning", [...cycles, row]);
        if (cycle !== row) return cycle && warningOf(cycle, levels.critical(cycle));
        return `Note: ${row.times} calls in a row were refused. Better: ${WORDS[row.detector].instead}`;
      };
    },
    reset,
  };
}

type Level = "warning" | "critical" | "breaker";

interface Levels extends Readonly<Record<Level, (cycle: Cycle) => number>> {
  readonly history: number;
}

/** Keeps each level above the one below it, whatever is configured. */
function levelsOf(options: LoopDetection): Levels {
  const warning = thresholdOf(options, "warningThreshold", LIMITS.loopWarning);
  const critical = Math.max(thresholdOf(options, "criticalThreshold", LIMITS.loopCritical), warning + 1);
  const breaker = Math.max(thresholdOf(options, "globalCircuitBreakerThreshold", LIMITS.loopBreaker), critical + 1);
  return {
    history: Math.max(thresholdOf(options, "historySize", LIMITS.loopHistory), breaker),
    warning: thresholdFor(warning, 2),
    critical: thresholdFor(critical, 3),
    breaker: thresholdFor(breaker, 4),
  };
}

/** Returns the threshold, or a fraction of it for detectors that escalate faster. */
const thresholdFor =
  (count: number, least: number) =>
  ({ detector }: Cycle): number =>
    FAST_ESCALATING.has(detector) ? Math.max(least, Math.ceil(count / LIMITS.loopRefusalWeight)) : count;

/** Lists detectors of calls that cannot succeed, whatever the caller does. */
const FAST_ESCALATING: ReadonlySet<Detector> = new Set(["repeatedRefusals", "unknownTool"]);

type Threshold = "historySize" | "warningThreshold" | "criticalThreshold" | "globalCircuitBreakerThreshold";

function thresholdOf(options: LoopDetection, name: Threshold, otherwise: number): number {
  const value = options[name] ?? otherwise;
  if (Number.isInteger(value) && value > 0) return value;
  throw new Fault("invalid_input", `Cannot use tools.loopDetection.${name} ${value}: give a whole number above 0`);
}

/** Describes what happened, and what to do instead. */
const WORDS: Readonly<Record<Detector, { readonly says: (times: number) => string; readonly instead: string }>> = {
  genericRepeat: {
    says: (times) => `the same call gave the same answer ${times} times`,
    instead: "use that answer, or ask for something else",
  },
  knownPollNoProgress: {
    says: (times) => `nothing has moved in ${times} looks`,
    instead: "do other work before the next look, or end what does not move",
  },
  pingPong: {
    says: (times) => `two calls have taken turns for ${times} calls and always gave the same`,
    instead: "use what they gave, or take a third way",
  },
  repeatedRefusals: {
    says: (times) => `it was refused ${times} times`,
    instead: "ask the user, or find another way",
  },
  unknownTool: {
    says: (times) => `there is no such tool, as was said ${times} times`,
    instead: "use one of the tools listed for this session",
  },
};

function warningOf({ detector, times }: Cycle, critical: number): string {
  const { says, instead } = WORDS[detector];
  return `Note: ${says(times)}; after ${critical} the call is refused. Better: ${instead}`;
}

const loopFault = (tool: string, { detector, times }: Cycle): Fault =>
  new Fault("loop", `Cannot call "${tool}" again: ${WORDS[detector].says(times)}; ${WORDS[detector].instead}`, {
    level: "critical",
    detector,
    times,
  });

function suspendedFault(tool: string, session: string): Fault {
  const ask = session === "" ? "ask the user" : `ask the user to run: holdfast approvals reset ${session.slice(0, 8)}`;
  const says = "this session only repeats itself and has stopped; make a different call, or";
  return new Fault("loop", `Cannot call "${tool}": ${says} ${ask}`, { level: "breaker" });
}

const NO_SUSPENSION: LoopSuspension = { create: () => false, exists: () => true, remove: () => {} };
