import { LIMITS } from "../../base/limits.ts";
import type { Job, JobState } from "../../exec/jobs/job.ts";
import type { OutputText } from "../../exec/jobs/job-output.ts";
import type { CommandReport } from "../../exec/report.ts";

/** Reports on a job, with the output that the caller chose to show. */
export function reportOf(job: Job, output: OutputText, notes: readonly string[] = []): CommandReport {
  const state = job.state();
  const { id, description, startedMs } = job;
  return {
    id,
    command: description.command,
    state: state.kind === "exited" ? "done" : state.kind,
    ...endOf(state),
    directory: description.directory,
    durationMs: (state.kind === "exited" ? state.endedMs : Date.now()) - startedMs,
    output: output.text,
    leftOut: output.isCut ? Math.max(1, output.from) : 0,
    undo: description.undo,
    notes,
  };
}

/** Shows all that a job has printed, as far as it fits: more of one that has ended. */
export const shownOutput = (job: Job): OutputText =>
  job.output.summary({ chars: job.state().kind === "running" ? LIMITS.pendingChars : LIMITS.resultChars });

/** Shows nothing, for lists of jobs. */
export const NO_OUTPUT: OutputText = { text: "", from: 0, cursor: 0, isCut: false };

function endOf(state: JobState): Pick<CommandReport, "exit" | "stopped"> {
  if (state.kind !== "exited") return {};
  const { exit, reason } = state;
  if (reason === undefined) return { exit };
  return { exit, stopped: reason === "timeout" || reason === "cancelled" ? reason : "killed" };
}
