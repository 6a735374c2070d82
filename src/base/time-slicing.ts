import { setImmediate } from "node:timers/promises";
import { Fault } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { stopYoungHeapGrowth } from "./young-heap.ts";

/** Says whether the caller has given up. An AbortSignal is one. */
export interface Cancellation {
  readonly aborted: boolean;
}

/** Is awaited inside long loops: yields to other calls now and then, and throws once the call is cancelled. */
export type Checkpoint = () => Promise<void> | void;

/** Is long work that is cut into steps: the caller may pause after each. */
export type SlicedWork<Result> = Generator<undefined, Result, undefined>;

/** Runs all steps, and yields to others between them now and then. */
export async function runInSlices<Result>(steps: SlicedWork<Result>, checkpoint: Checkpoint): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const pause = checkpoint();
    if (pause) await pause;
  }
}

/** Creates the checkpoint of one call. It costs a clock reading per step, and an event-loop turn per slice. */
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

/** Polls whether a call was cancelled while it waits for something else; then calls `end`, once. */
export function watchCancellation(checkpoint: Checkpoint, end: () => void) {
  const check = async (): Promise<void> => {
    await checkpoint();
  };
  const timer = setInterval(() => {
    check().catch(() => {
      clearInterval(timer);
      end();
    });
  }, LIMITS.cancelPollMs);
  return {
    /** Throws when the call was cancelled. */
    check,
    stop: () => clearInterval(timer),
  };
}
