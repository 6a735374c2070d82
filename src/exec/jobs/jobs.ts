import { join } from "node:path";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { OWN_PROCESS } from "../../base/process-identity.ts";
import { HOUR_MS } from "../../base/time.ts";
import type { Job, NewJob, StartCommand } from "./job.ts";
import {
  createJobDirectory,
  jobIds,
  type JobRecord,
  readRecord,
  removeJobDirectory,
  startFault,
  stateIn,
} from "./job-directory.ts";
import { foundJob, ownJob } from "./job-handle.ts";
import { launch } from "./launch.ts";
import { createLookAfter } from "./look-after.ts";
import { sweepJobs } from "./sweep.ts";

/** The jobs of a user on this machine. */
export interface Jobs {
  /** Starts a job. Throws a `Fault` where too many run, the disk is full, or the command cannot be started. */
  start(wanted: NewJob, start: StartCommand): Promise<Job>;
  /** Finds a job of any process by its id. */
  find(id: string): Job | undefined;
  /** Lists all jobs, the newest first. */
  list(): readonly Job[];
  /** Ends what dead servers left, looks after detached jobs of theirs, and removes old jobs. `start` does so, too. */
  sweep(): Promise<void>;
  /** Ends the jobs of a session, or all that this process started, but for detached ones. */
  endSession(session: string): Promise<void>;
  close(): Promise<void>;
}

export interface JobsOptions {
  /** The directory that holds one directory for each job. */
  readonly home: string;
  /** Caps the jobs that run at the same time. */
  readonly most?: number | undefined;
}

export function createJobs({ home, most = LIMITS.jobs }: JobsOptions): Jobs {
  const own = new Map<string, Job>();
  const lookAfter = createLookAfter();
  const find = (id: string): Job | undefined => own.get(id) ?? foundIn(home, id);
  const list = (): readonly Job[] =>
    jobIds(home)
      .flatMap((id) => find(id) ?? [])
      .toSorted((a, b) => b.startedMs - a.startedMs);
  const countRunning = createRunningCount(home, own, most);
  const sweep = (): Promise<void> => sweepJobs(home, find, lookAfter);
  const sweepIfDue = createSweepSchedule(home, sweep);
  return {
    async start(wanted, start) {
      const ids = jobIds(home);
      if (countRunning(ids) >= most) throw tooMany(most);
      const record = recordOf(wanted);
      const id = createJobDirectory(home, record);
      const directory = join(home, id);
      try {
        const job = ownJob(id, directory, record, await launch(directory, record, start));
        own.set(id, job);
        lookAfter(job, directory, record);
        void job.ended.then(() => own.delete(id));
        // The command runs meanwhile.
        setImmediate(sweepIfDue, ids.length);
        return job;
      } catch (error) {
        removeJobDirectory(directory);
        throw startFault(error);
      }
    },
    find,
    list,
    sweep,
    endSession: (session) => endAll([...own.values()].filter(({ description }) => description.session === session)),
    close: () => endAll([...own.values()]),
  };
}

/** Returns a function that sweeps once an hour, and earlier where the jobs have become twice as many as are kept. */
function createSweepSchedule(home: string, sweep: () => Promise<void>): (count: number) => void {
  let lastMs = -Infinity;
  let dueCount = 2 * LIMITS.finishedJobs;
  return (count) => {
    if (Date.now() - lastMs < HOUR_MS && count < dueCount) return;
    lastMs = Date.now();
    dueCount = Infinity;
    // What fails can wait: the next process does it.
    sweep()
      .catch(() => {})
      .finally(() => (dueCount = jobIds(home).length + LIMITS.finishedJobs));
  };
}

/** Ends jobs that must not outlive their session. */
async function endAll(jobs: readonly Job[]): Promise<void> {
  await Promise.all(jobs.filter(({ isDetached }) => !isDetached).map((job) => job.end("session")));
}

function foundIn(home: string, id: string): Job | undefined {
  const record = readRecord(home, id);
  return record && foundJob(id, join(home, id), record);
}

const tooMany = (most: number): Fault =>
  new Fault("busy", `Cannot start the command: ${most} jobs are running`, {
    hint: "End a job that is no longer needed (process kill; people: holdfast jobs stop), then try again",
  });

function recordOf({ isDetached = false, hasInput = false, screenSize, timeoutMs, ...description }: NewJob): JobRecord {
  const startedMs = Date.now();
  return {
    description: { ...description, roots: [...description.roots] },
    server: OWN_PROCESS,
    startedMs,
    isDetached,
    hasInput: hasInput || screenSize !== undefined,
    screenSize,
    deadlineMs: timeoutMs === undefined ? undefined : startedMs + timeoutMs,
  };
}

/**
 * Counts running jobs, where there are enough to exceed the cap. Those of this process are known, and a job that has
 * ended stays so: the files of each are read once, and again only while another process runs it.
 */
function createRunningCount(
  home: string,
  own: ReadonlyMap<string, Job>,
  most: number,
): (ids: readonly string[]) => number {
  let ended = new Set<string>();
  return (ids) => {
    if (ids.length < most) return ids.length;
    const isRunning = (id: string): boolean => own.has(id) || (!ended.has(id) && isRunningIn(home, id));
    const running = ids.filter(isRunning);
    const found = new Set(running);
    ended = new Set(ids.filter((id) => !found.has(id)));
    return running.length;
  };
}

function isRunningIn(home: string, id: string): boolean {
  const record = readRecord(home, id);
  return record !== undefined && stateIn(join(home, id), record).kind === "running";
}
