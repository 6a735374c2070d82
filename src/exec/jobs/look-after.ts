import { LIMITS } from "../../base/limits.ts";
import type { JobRecord } from "./job-directory.ts";
import type { Job } from "./job.ts";
import { boundLog } from "./log-bound.ts";

/** Looks after a job until it ends: bounds its log, and ends it at its deadline. */
export type LookAfter = (job: Job, directory: string, record: JobRecord) => void;

/** Uses one timer for all jobs of this process. It keeps no process alive. */
export function createLookAfter(): LookAfter {
  const running = new Map<string, () => Promise<number>>();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const pauses = await Promise.all([...running.values()].map((visit) => visit()));
    timer = running.size === 0 ? undefined : setTimeout(look, Math.min(SLOW_MS, ...pauses)).unref();
  };
  return (job, directory, { deadlineMs }) => {
    if (running.has(job.id)) return;
    const visit = createVisit(job, directory, deadlineMs);
    running.set(job.id, visit);
    void job.ended.then(async () => {
      running.delete(job.id);
      await visit();
    });
    timer ??= setTimeout(look, FAST_MS).unref();
  };
}

/** A log that grows fast is looked at often: a program can write a gigabyte in a second. */
const FAST_BYTES = 1024 * 1024;
const FAST_MS = 50;
const SLOW_MS = 1000;

/** Creates a function that looks at a job once, and returns after how long it should look again. */
function createVisit(job: Job, directory: string, deadlineMs = Infinity): () => Promise<number> {
  let before = 0;
  return async () => {
    const leftMs = deadlineMs - Date.now();
    if (leftMs <= 0) void job.end("timeout");
    try {
      const growth = job.output.size() - before;
      before += growth;
      if ((await boundLog(directory)) > LIMITS.jobLogBytesMost) void job.end("output");
      if (growth > FAST_BYTES) return FAST_MS;
    } catch {
      // Another process has removed the job.
    }
    return leftMs > 0 ? Math.min(leftMs, SLOW_MS) : SLOW_MS;
  };
}
