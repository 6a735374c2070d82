import { setImmediate } from "node:timers/promises";
import { Fault } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { stopYoungHeapGrowth } from "./young-heap.ts";

/** What a call looks at to learn that nobody waits for it any more. An AbortSignal is one. */
export interface Cancellation {
  readonly aborted: boolean;
}

/** Awaited inside long loops: lets other calls run now and then, and throws once the call is cancelled. */
export type Checkpoint = () => Promise<void> | void;

/** Long work that is cut into steps: whoever takes them may pause after each. */
export type SlicedWork<Result> = Generator<undefined, Result, undefined>;

/** Takes all steps, and lets others run between them now and then. */
export async function runInSlices<Result>(steps: SlicedWork<Result>, checkpoint: Checkpoint): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const pause = checkpoint();
    if (pause) await pause;
  }
}

/** One per call. Costs a clock look per step, an event-loop turn per slice. */
export function createCheckpoint(signal: Cancellation): Checkpoint {
  let sliceEnds = performance.now() + LIMITS.sliceMs;
  return function checkpoint() {
    stopIfCancelled(signal);
    if (performance.now() < sliceEnds) return;
    return setImmediate().then(() => {
      stopIfCancelled(signal);
      stopYoungHeapGrowth();
      sliceEnds = performance.now() + LIMITS.sliceMs;
    });
  };
}

/** Throws `cancelled` once the caller has given up. */
export function stopIfCancelled(signal: Cancellation): void {
  if (signal.aborted) throw new Fault("cancelled", "Cannot finish the call: it was cancelled");
}

/** Looks now and then whether a call was cancelled, while it waits for something else; then does `end`, once. */
export function watchCancellation(checkpoint: Checkpoint, end: () => void) {
  const look = async (): Promise<void> => {
    await checkpoint();
  };
  const timer = setInterval(() => {
    look().catch(() => {
      clearInterval(timer);
      end();
    });
  }, LIMITS.cancelLookMs);
  return {
    /** Throws when it was. */
    check: look,
    stop: () => clearInterval(timer),
  };
}
