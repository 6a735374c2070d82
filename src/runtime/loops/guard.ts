import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { type Cycle, createCallHistory, type Detector } from "./history.ts";
import type { CallOutput, CallSignature } from "./signatures.ts";
import type { LoopSuspension } from "./suspensions.ts";

/** Tells going in circles from getting ahead, by what calls give. One per session. */
export interface LoopGuard {
  /** Throws `loop` when the call would go on in a circle. What it gives is to be told to the function that comes back. */
  begin(call: CallSignature): RecordResult;
  /** A person has looked: all starts anew. */
  reset(): void;
}

/** Answers with a warning for the model, when it is time for one. */
export type RecordResult = (given: CallOutput) => string | undefined;

/** `tools.loopDetection` of the configuration. What is not said is as documented; all detectors are on. */
export interface LoopDetection {
  readonly enabled?: boolean | undefined;
  /** How many calls are remembered; at least as many as the breaker needs. */
  readonly historySize?: number | undefined;
  readonly warningThreshold?: number | undefined;
  readonly criticalThreshold?: number | undefined;
  readonly globalCircuitBreakerThreshold?: number | undefined;
  readonly detectors?: Readonly<Partial<Record<Detector, boolean | undefined>>> | undefined;
}

/** For callers that repeat on purpose. */
export const noLoopGuard: LoopGuard = { begin: () => () => undefined, reset: () => {} };

/** A mark that it makes when it stops, and whose end lets it go on, is where a person outside can reach it. */
export function createLoopGuard(
  options: LoopDetection = {},
  stop: LoopSuspension = NO_SUSPENSION,
  session = "",
): LoopGuard {
  if (options.enabled === false) return noLoopGuard;
  const levels = levelsOf(options);
  const history = createCallHistory(levels.history);
  /** The calls that have gone in a circle for too long. */
  let stopped: ReadonlySet<string> = new Set();
  let isMarked = false;
  const goOn = (): void => {
    stopped = new Set();
    if (isMarked) stop.remove();
    isMarked = false;
  };
  const reset = (): void => {
    history.clear();
    goOn();
  };
  const reached = (level: Level, circles: readonly Cycle[]): Cycle | undefined =>
    circles.find((circle) => options.detectors?.[circle.detector] !== false && circle.times >= levels[level](circle));

  function check(tool: string, sign: string): void {
    // Somebody took the mark away: a person has looked.
    if (isMarked && stopped.has(sign) && !stop.exists()) reset();
    if (stopped.has(sign)) throw suspendedFault(tool, session);
    // A call that is no part of the circle shows that something has changed.
    if (stopped.size > 0) goOn();
    const circles = history.cyclesOf(sign);
    const endless = reached("breaker", circles);
    if (endless) {
      stopped = history.lastSignatures(endless.times);
      isMarked = stop.create(tool);
      throw suspendedFault(tool, session);
    }
    const circle = reached("critical", circles);
    if (!circle) return;
    history.recordRefused(sign);
    throw loopFault(tool, circle);
  }

  return {
    begin(call) {
      const sign = history.signatureFor(call);
      check(call.tool, sign);
      return (given) => {
        history.record(call, sign, given);
        const circle = reached("warning", history.cyclesOf(sign));
        if (circle) return warningOf(circle, levels.critical(circle));
        const row = reached("warning", [{ detector: "repeatedRefusals", times: history.refusedInARow() }]);
        return row && `Note: ${row.times} calls in a row were refused. Better: ${WORDS[row.detector].instead}`;
      };
    },
    reset,
  };
}

type Level = "warning" | "critical" | "breaker";

interface Levels extends Readonly<Record<Level, (circle: Cycle) => number>> {
  readonly history: number;
}

/** Each level lies above the one below it, whatever was asked for. */
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

/** The count itself or, for what escalates sooner, a part of it. */
const thresholdFor =
  (count: number, least: number) =>
  ({ detector }: Cycle): number =>
    FAST_ESCALATING.has(detector) ? Math.max(least, Math.ceil(count / LIMITS.loopRefusalWeight)) : count;

/** Nothing that the caller can do makes these end otherwise. */
const FAST_ESCALATING: ReadonlySet<Detector> = new Set(["repeatedRefusals", "unknownTool"]);

type Threshold = "historySize" | "warningThreshold" | "criticalThreshold" | "globalCircuitBreakerThreshold";

function thresholdOf(options: LoopDetection, name: Threshold, otherwise: number): number {
  const value = options[name] ?? otherwise;
  if (Number.isInteger(value) && value > 0) return value;
  throw new Fault("invalid_input", `Cannot use tools.loopDetection.${name} ${value}: give a whole number above 0`);
}

/** What happened, and what to do instead. */
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
