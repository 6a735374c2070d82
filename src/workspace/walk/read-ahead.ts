import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { IgnoreRules } from "../../text/glob/ignore.ts";
import type { ReadAheadWorker, PendingJob } from "./worker/job.ts";
import {
  type Job,
  type ReadAheadResults,
  type JobTarget,
  type JobOptions,
  runJob as read,
  type ReadAheadResult,
} from "./worker/run-job.ts";
import type { View } from "../view.ts";
import type { OpenDirectoryRef, OpenDirectories } from "./open-directories.ts";
import { isUnread, type WalkQueue, type PendingRead, type QueuedDirectory } from "./walk-queue.ts";

/**
 * Reads directories before a walk comes to them, in two threads: whoever is free takes what comes next. The walk still
 * comes to each in its own order, and decides as it would alone.
 */
export interface ReadAhead {
  /** What is known of a directory; undefined where the walk has to read it itself. */
  resultFor(waiting: QueuedDirectory): ReadAheadAnswer | Promise<ReadAheadAnswer>;
  end(): void;
}

export type ReadAheadAnswer = ReadAheadResult | null | undefined;

/** The walk that it is for. */
export interface ReadAheadContext {
  readonly view: View;
  readonly worker: ReadAheadWorker;
  readonly options: JobOptions;
  readonly openDirectories: OpenDirectories;
  readonly queue: WalkQueue;
}

export function createReadAhead({ view, worker, options, openDirectories, queue }: ReadAheadContext): ReadAhead {
  const pending = new Map<PendingJob, PendingRead>();
  /** How many of the next make one errand, judging by the last that ended. */
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
      const sent = worker.send(jobOf(options, batch), () => releases.forEach((back) => back()));
      pending.set(sent, assignRead(batch, { results: undefined, job: sent }));
    }
  };
  /** Takes back what the other thread has not begun, the next first. */
  const help = (): boolean => {
    for (const [sent, reading] of pending) {
      if (!sent.withdraw()) continue;
      pending.delete(sent);
      reading.results = adjusted(sent.job, read(sent.job));
      send();
      return true;
    }
    return false;
  };
  const resultOf = (reading: PendingRead, sent: PendingJob): ReadAheadResults | Promise<ReadAheadResults> => {
    const over = (): ReadAheadResults => (reading.results ??= adjusted(sent.job, sent.results()));
    for (let helped = 0; !reading.results && !sent.isDone(); helped++)
      if (helped >= LIMITS.readAheadJobs || !help()) return sent.wait(view.checkpoint).then(over);
    return over();
  };
  const readHere = (queued: QueuedDirectory): ReadAheadResults | undefined => {
    const batch = batchOf(view, openDirectories, withMore(queued, queue), batchSize);
    if (!batch) return undefined;
    const job = jobOf(options, batch);
    return assignRead(batch, { results: adjusted(job, read(job)) }).results;
  };
  return {
    resultFor(waiting) {
      const { pendingRead, relativePath } = waiting;
      if (pendingRead?.results?.has(relativePath)) return pendingRead.results.get(relativePath);
      if (isUnread(waiting) && !worker.wake()) return undefined;
      send();
      const found =
        pendingRead?.job && !pendingRead.results ? resultOf(pendingRead, pendingRead.job) : readHere(waiting);
      return found instanceof Promise ? found.then((all) => all.get(relativePath)) : found?.get(relativePath);
    },
    end() {
      for (const sent of pending.keys()) sent.cancel();
    },
  };
}

/** Directories that are read together: the same rules hold in all of them. */
interface Batch {
  readonly rules: IgnoreRules;
  readonly directories: readonly BatchedDirectory[];
}

interface BatchedDirectory {
  readonly queued: QueuedDirectory;
  readonly from: OpenDirectoryRef;
  readonly target: JobTarget;
}

/** What cannot be read by others stays for the walk. */
function batchOf(
  view: View,
  holders: OpenDirectories,
  unread: Iterable<QueuedDirectory>,
  batchSize: number,
): Batch | undefined {
  let rules: IgnoreRules | undefined;
  const picked: BatchedDirectory[] = [];
  for (const queued of unread) {
    if (picked.length >= Math.min(batchSize, LIMITS.readAheadTargets) || (rules && queued.rules !== rules)) break;
    const next = batchedDirectory(view, holders, queued);
    if (next) {
      picked.push(next);
      rules = queued.rules;
    } else queued.pendingRead = { results: new Map([[queued.relativePath, null]]) };
  }
  return rules && { rules, directories: picked };
}

/** None where rules hide something: what may be seen there is decided entry by entry. */
function batchedDirectory(view: View, holders: OpenDirectories, queued: QueuedDirectory): BatchedDirectory | undefined {
  const { from, place, entry, relativePath, depth } = queued;
  if (!from || entry.raw || view.mayHideBelow(place)) return undefined;
  const shared = sharedHandleOf(holders, from);
  if (shared === undefined) return undefined;
  return { queued, from, target: { shared, place: from.place, name: entry.name, relativePath, depth } };
}

/** A directory that is gone is met again by the walk, and counted then. */
function sharedHandleOf(holders: OpenDirectories, from: OpenDirectoryRef): string | undefined {
  try {
    return holders.handleOf(from).sharedPath;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

const jobOf = (leads: JobOptions, { rules, directories }: Batch): Job => ({
  ...leads,
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
