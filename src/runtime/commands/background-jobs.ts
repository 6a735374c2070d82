import type { Job } from "../../exec/jobs/job.ts";
import type { CommandReport } from "../../exec/report.ts";
import type { JobEnds } from "../sessions/job-ends.ts";
import { NO_OUTPUT, reportOf } from "./job-report.ts";

/** Reports to a session that its commands in the background have ended, each once. */
export interface BackgroundJobs {
  /** Reports the end of a job that its caller no longer waits for. */
  follow(job: Job): void;
  /** Waits for the answer to a request about one job or all. What that reports as ended is not reported again. */
  whileAnswering<Answer extends JobReports>(id: string | undefined, answer: () => Promise<Answer>): Promise<Answer>;
  /** Reports ended jobs of earlier sessions, once in a session, except those that the answer itself reports. */
  reportEarlier(jobs: () => readonly Job[], reports: readonly CommandReport[]): void;
  /** Reports nothing more: the session ends. */
  stop(): void;
}

interface JobReports {
  readonly reports: readonly CommandReport[];
}

export function createBackgroundJobs(ends: JobEnds): BackgroundJobs {
  const followed = new Map<string, Job>();
  const asked = new Set<string>();
  let hasReportedEarlier = false;
  const reportIfEnded = (job: Job): void => {
    if (asked.has(job.id) || job.state().kind === "running") return;
    if (followed.delete(job.id)) ends.add(reportOf(job, NO_OUTPUT));
  };
  const forget = ({ id, state }: CommandReport): void => {
    if (state === "running") return;
    followed.delete(id);
    ends.forget(id);
  };
  return {
    follow(job) {
      followed.set(job.id, job);
      void job.ended.then(() => reportIfEnded(job));
    },
    async whileAnswering(id = "", answer) {
      // A poll that waits for the end of a job is about to report it.
      asked.add(id);
      try {
        const answered = await answer();
        answered.reports.forEach(forget);
        return answered;
      } finally {
        asked.delete(id);
        const job = followed.get(id);
        if (job) reportIfEnded(job);
      }
    },
    reportEarlier(jobs, reports) {
      if (hasReportedEarlier) return;
      hasReportedEarlier = true;
      for (const job of jobs()) if (!reports.some(({ id }) => id === job.id)) ends.add(reportOf(job, NO_OUTPUT));
    },
    stop: () => followed.clear(),
  };
}
