import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { IgnoreRules } from "../../text/glob/ignore.ts";
import type { ReadAheadWorker, PendingJob } from "./worker/job.ts";
import {
  type Job,
  type ReadAheadResults,
  type JobTarget,
  type JobOptions,
  runJob,
  type ReadAheadResult,
} from "./worker/run-job.ts";
import type { View } from "../view.ts";
import type { OpenDirectoryRef, OpenDirectories } from "./open-directories.ts";
import { isUnread, type WalkQueue, type PendingRead, type QueuedDirectory } from "./walk-queue.ts";

/**
 * Reads directories before the walk reaches them, on the main thread and a worker thread: whichever is free takes the
 * next job. The walk still visits directories in its own order, and decides as it would without the worker.
 */
export interface ReadAhead {
  /** Returns what was read of a directory; null or undefined if the walk has to read it itself. */
  resultFor(queued: QueuedDirectory): ReadAheadAnswer | Promise<ReadAheadAnswer>;
  end(): void;
}

export type ReadAheadAnswer = ReadAheadResult | null | undefined;

/** Holds the parts of the walk that the read-ahead uses. */
export interface ReadAheadContext {
  readonly view: View;
  readonly worker: ReadAheadWorker;
  readonly options: JobOptions;
  readonly openDirectories: OpenDirectories;
  readonly queue: WalkQueue;
}

export function createReadAhead({ view, worker, options, openDirectories, queue }: ReadAheadContext): ReadAhead {
  const pending = new Map<PendingJob, PendingRead>();
  /** The number of queued directories per job, estimated from the last job that ended. */
  let batchSize = 1;
  const adjusted = ({ targets }: Job, found: ReadAheadResults): ReadAheadResults => {
    const coveredCount = targets.filter(({ relativePath }) => found.has(relativePath)).length;
    if (coveredCount > 0)
      batchSize = Math.max(1, Math.floor((coveredCount * LIMITS.readAheadDirectories) / found.size));
    return found;
  };
  const send = (): void => {
    for (const job of pending.keys()) if (job.isDone()) pending.delete(job);
    while (pending.size < LIMITS.readAheadJobs && worker.wake()) {
      const batch = batchOf(view, openDirectories, queue.unread(), batchSize);
      if (!batch) return;
      const releases = batch.directories.map(({ from }) => openDirectories.lend(from));
      const sent = worker.send(jobOf(options, batch), () => releases.forEach((release) => release()));
      pending.set(sent, assignRead(batch, { results: undefined, job: sent }));
    }
  };
  /** Withdraws the next job that the worker has not started, and runs it here. Returns false if none is left. */
  const help = (): boolean => {
    for (const [sent, reading] of pending) {
      if (!sent.withdraw()) continue;
      pending.delete(sent);
      reading.results = adjusted(sent.job, runJob(sent.job));
      send();
      return true;
    }
    return false;
  };
  const resultsOf = (reading: PendingRead, sent: PendingJob): ReadAheadResults | Promise<ReadAheadResults> => {
    const finished = (): ReadAheadResults => (reading.results ??= adjusted(sent.job, sent.results()));
    for (let helped = 0; !reading.results && !sent.isDone(); helped++)
      if (helped >= LIMITS.readAheadJobs || !help()) return sent.wait(view.checkpoint).then(finished);
    return finished();
  };
  const readHere = (queued: QueuedDirectory): ReadAheadResults | undefined => {
    const batch = batchOf(view, openDirectories, withMore(queued, queue), batchSize);
    if (!batch) return undefined;
    const job = jobOf(options, batch);
    return assignRead(batch, { results: adjusted(job, runJob(job)) }).results;
  };
  return {
    resultFor(queued) {
      const { pendingRead, relativePath } = queued;
      if (pendingRead?.results?.has(relativePath)) return pendingRead.results.get(relativePath);
      if (isUnread(queued) && !worker.wake()) return undefined;
      send();
      const found =
        pendingRead?.job && !pendingRead.results ? resultsOf(pendingRead, pendingRead.job) : readHere(queued);
      return found instanceof Promise ? found.then((all) => all.get(relativePath)) : found?.get(relativePath);
    },
    end() {
      for (const sent of pending.keys()) sent.cancel();
    },
  };
}

/** Groups directories that one job reads; the same ignore rules apply to all of them. */
interface Batch {
  readonly rules: IgnoreRules;
  readonly directories: readonly BatchedDirectory[];
}

interface BatchedDirectory {
  readonly queued: QueuedDirectory;
  readonly from: OpenDirectoryRef;
  readonly target: JobTarget;
}

/** Picks directories for one job. Marks those that a job cannot read as left to the walk. */
function batchOf(
  view: View,
  openDirectories: OpenDirectories,
  unread: Iterable<QueuedDirectory>,
  batchSize: number,
): Batch | undefined {
  let rules: IgnoreRules | undefined;
  const picked: BatchedDirectory[] = [];
  for (const queued of unread) {
    if (picked.length >= Math.min(batchSize, LIMITS.readAheadTargets) || (rules && queued.rules !== rules)) break;
    const next = batchedDirectory(view, openDirectories, queued);
    if (next) {
      picked.push(next);
      rules = queued.rules;
    } else queued.pendingRead = { results: new Map([[queued.relativePath, null]]) };
  }
  return rules && { rules, directories: picked };
}

/** Returns undefined if access rules may hide something below, because the walk decides that entry by entry. */
function batchedDirectory(
  view: View,
  openDirectories: OpenDirectories,
  queued: QueuedDirectory,
): BatchedDirectory | undefined {
  const { from, place, entry, relativePath, depth } = queued;
  if (!from || entry.raw || view.mayHideBelow(place)) return undefined;
  const shared = sharedHandleOf(openDirectories, from);
  if (shared === undefined) return undefined;
  return { queued, from, target: { shared, place: from.place, name: entry.name, relativePath, depth } };
}

/** Returns undefined if the directory is gone: the walk will reach it, too, and count it as unreadable. */
function sharedHandleOf(openDirectories: OpenDirectories, from: OpenDirectoryRef): string | undefined {
  try {
    return openDirectories.handleOf(from).sharedPath;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

const jobOf = (options: JobOptions, { rules, directories }: Batch): Job => ({
  ...options,
  targets: directories.map(({ target }) => target),
  serializedRules: rules.serializedRules(),
});

function assignRead({ directories }: Batch, reading: PendingRead): PendingRead {
  for (const { queued } of directories) queued.pendingRead = reading;
  return reading;
}

function* withMore(queued: QueuedDirectory, queue: WalkQueue): Iterable<QueuedDirectory> {
  yield queued;
  yield* queue.unread();
}
