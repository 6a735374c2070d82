import type { SlicedWork } from "../../src/base/time-slicing.ts";

/** Runs sliced work to the end without a pause. */
export function runAtOnce<Result>(steps: SlicedWork<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
