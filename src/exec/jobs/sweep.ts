import { statSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "../../base/limits.ts";
import { hasProcessExited } from "../../base/process-identity.ts";
import type { Job } from "./job.ts";
import { jobIds, readRecord, removeJobDirectory } from "./job-directory.ts";
import type { LookAfter } from "./look-after.ts";

/** Ends what dead servers left, looks after their detached jobs, and removes jobs that are old or too many. */
export async function sweepJobs(
  home: string,
  find: (id: string) => Job | undefined,
  lookAfter: LookAfter,
): Promise<void> {
  await Promise.all(jobIds(home).map((id) => takeOver(home, id, find, lookAfter)));
  const kept = jobIds(home).flatMap((id) => endedMsOf(home, id, find) ?? []);
  const byAge = kept.toSorted((a, b) => b.endedMs - a.endedMs);
  const oldest = Date.now() - LIMITS.finishedJobMs;
  byAge.forEach(({ id, endedMs }, nth) => {
    if (nth >= LIMITS.finishedJobs || endedMs < oldest) removeJobDirectory(join(home, id));
  });
}

async function takeOver(
  home: string,
  id: string,
  find: (id: string) => Job | undefined,
  lookAfter: LookAfter,
): Promise<void> {
  const record = readRecord(home, id);
  const job = record && find(id);
  if (!record || job?.state().kind !== "running" || !hasProcessExited(record.server, false)) return;
  if (record.isDetached) lookAfter(job, join(home, id), record);
  else await job.end("session");
}

/** Returns undefined for a job that runs. A directory without a record counts from its last change. */
function endedMsOf(home: string, id: string, find: (id: string) => Job | undefined) {
  const state = find(id)?.state();
  if (state?.kind === "running") return undefined;
  return { id, endedMs: state?.endedMs ?? statSync(join(home, id), { throwIfNoEntry: false })?.mtimeMs ?? 0 };
}
