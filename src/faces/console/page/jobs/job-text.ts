import type { JobEntry } from "../../contract.ts";
import { secondsFrom, stopwatch, tookText } from "../format/time.ts";

/** Says how a job stands: "running", "exit 0", "stopped by you", "lost". */
export function jobState({ state, stopped, signal, exitCode }: JobEntry): string {
  if (state !== "done") return state;
  return stopped ?? signal ?? `exit ${exitCode ?? "unknown"}`;
}

export const isBad = ({ state, exitCode }: JobEntry): boolean =>
  state === "lost" || (state === "done" && exitCode !== 0 && exitCode !== undefined && exitCode !== null);

/** Says how long a job runs or ran. */
export const jobTime = ({ started, ended, state }: JobEntry, nowMs: number): string =>
  state === "running" || ended === undefined
    ? stopwatch(secondsFrom(started, nowMs))
    : tookText(secondsFrom(started, Date.parse(ended)));
