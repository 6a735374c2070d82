import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createHoldfast, type Holdfast } from "../../src/faces/sdk/holdfast.ts";

/** Serves directories until the test ends. The state lies beside the first one by default. */
export function serve(
  roots: readonly [string, ...string[]],
  stateDirectory = join(dirname(roots[0]), "state"),
): Holdfast {
  const holdfast = createHoldfast({ roots, stateDirectory, loopDetection: false });
  onTestFinished(() => holdfast.close());
  return holdfast;
}
