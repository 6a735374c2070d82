import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { NewJob } from "../../../src/exec/jobs/job.ts";
import { createJobs, type Jobs } from "../../../src/exec/jobs/jobs.ts";

/** Describes a job of the tests. */
export const JOB: NewJob = {
  command: "test",
  directory: "/",
  session: "s1",
  agent: "main",
  principal: "agent",
  roots: ["/work"],
  undo: "none",
};

/** Creates jobs in a directory of their own, which end with the test. */
export function temporaryJobs(most?: number): Jobs & { readonly home: string } {
  const home = mkdtempSync(join(tmpdir(), "holdfast-jobs-"));
  const jobs = createJobs({ home, most });
  onTestFinished(async () => {
    await Promise.all(jobs.list().map((job) => job.end()));
    rmSync(home, { recursive: true, force: true });
  });
  return { ...jobs, home };
}
