import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { age as ageBy } from "../workspace/changes/journals.ts";
import { stateBeside } from "../runtime/scratch.ts";

export const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");

/** The state of the one workspace under a scratch root. */
export const stateOf = stateBeside;

/** Makes a recorded change older than the history keeps, as the clock of an earlier boot says too. */
export function age(root: string, id: unknown): void {
  ageBy(stateOf(root), id, 40 * 24 * 3_600_000);
  const look = { wallMs: Date.now(), boot: "an earlier one", monotonicMs: 0 };
  writeFileSync(join(stateOf(root), "clock"), JSON.stringify([look]));
  // Otherwise the next process would leave the history alone, because another has just pruned it.
  rmSync(join(stateOf(root), "pruned"), { force: true });
}

export const textIn = (root: string, name: string): string => readFileSync(join(root, name), "utf8");
