import { LIMITS } from "../../base/limits.ts";

/** Shows how far long work is. */
export interface ProgressBar {
  report(done: number, total?: number): void;
  /** Clears the line. Must be called at the end, and before anything else is printed. */
  clear(): void;
}

/**
 * Draws on one line of standard error, which is cleared at the end. Draws nothing where that is no terminal, and nothing
 * for work that is done before a person would look.
 */
export function createProgressBar(
  work: string,
  { stderr, env }: Pick<NodeJS.Process, "stderr" | "env"> = process,
): ProgressBar {
  const isShown = stderr.isTTY && env["TERM"] !== "dumb";
  let nextMs = Date.now() + LIMITS.progressShownAfterMs;
  let isDrawn = false;
  return {
    report(done, total) {
      if (!isShown || Date.now() < nextMs) return;
      nextMs = Date.now() + LIMITS.progressMs;
      isDrawn = true;
      stderr.write(`${CLEAR}${lineOf(work, done, total).slice(0, stderr.columns || MOST_COLUMNS)}`);
    },
    clear() {
      if (isDrawn) stderr.write(CLEAR);
      isDrawn = false;
    },
  };
}

/** Goes to the start of the line and erases it. */
const CLEAR = "\r\u001b[K";
const MOST_COLUMNS = 80;
const CELLS = 24;

function lineOf(work: string, done: number, total: number | undefined): string {
  const count = done.toLocaleString("en");
  if (total === undefined || total <= 0) return `${work}: ${count} so far`;
  const share = Math.min(1, done / total);
  const full = Math.floor(share * CELLS);
  const bar = "█".repeat(full) + "░".repeat(CELLS - full);
  return `${work} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${count} of ${total.toLocaleString("en")}`;
}
