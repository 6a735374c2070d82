import { LIMITS } from "../../base/limits.ts";
import type { Job, JobState } from "../../exec/jobs/job.ts";
import type { OutputText } from "../../exec/jobs/job-output.ts";
import type { PictureReport } from "./picture-report.ts";
import type { CommandReport } from "../../exec/report.ts";
import { failureHints } from "./failure-hints.ts";

/** Reports on a job, with the output that the caller chose to show. */
export function reportOf(
  job: Job,
  output: OutputText,
  notes: readonly string[] = [],
  picture?: PictureReport,
): CommandReport {
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
    isCut: output.isCut,
    undo: description.undo,
    ...(picture && { changes: picture.changes, changeId: picture.changeId }),
    notes: [...notes, ...(picture?.notes ?? []), ...(hasFailed(state) ? failureHints(description, output.text) : [])],
  };
}

const hasFailed = (state: JobState): boolean => state.kind === "exited" && state.exit.code !== 0;

/**
 * Shows all that a job has printed, as far as it fits: more of one that has ended. While it runs in a terminal, its
 * screen is shown instead.
 */
export function shownOutput(job: Job, screen?: string): OutputText {
  if (job.state().kind !== "running") return job.output.summary({ chars: LIMITS.resultChars });
  const output = job.output.summary({ chars: LIMITS.pendingChars });
  return screen === undefined ? output : { ...output, text: screen };
}

/** Shows nothing, for lists of jobs. */
export const NO_OUTPUT: OutputText = { text: "", from: 0, cursor: 0, isCut: false };

function endOf(state: JobState): Pick<CommandReport, "exit" | "stopped"> {
  if (state.kind !== "exited") return {};
  const { exit, reason } = state;
  if (reason === undefined) return { exit };
  return { exit, stopped: reason === "timeout" || reason === "cancelled" ? reason : "killed" };
}
