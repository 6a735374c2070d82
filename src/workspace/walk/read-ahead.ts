import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { IgnoreRules } from "../../text/glob/ignore.ts";
import type { ReadAheadWorker, PendingJob } from "./worker/job.ts";
import {
  type Job,
  type Found,
  type JobTarget,
  type JobOptions,
  readAhead as read,
  type ReadAheadResult,
} from "./worker/job-state.ts";
import type { View } from "../view.ts";
import type { OpenDirectoryRef, OpenDirectories } from "./open-directories.ts";
import { isUnread, type WalkQueue, type PendingRead, type QueuedDirectory } from "./queue.ts";

/**
 * Reads directories before a walk comes to them, in two threads: whoever is free takes what comes next. The walk still
 * comes to each in its own order, and decides as it would alone.
 */
export interface ReadAhead {
  /** What is known of a directory; undefined where the walk has to read it itself. */
  known(waiting: QueuedDirectory): Known | Promise<Known>;
  end(): void;
}

export type Known = ReadAheadResult | null | undefined;

/** The walk that it is for. */
export interface PrefetchedDirectory {
  readonly view: View;
  readonly worker: ReadAheadWorker;
  readonly leads: JobOptions;
  readonly holders: OpenDirectories;
  readonly line: WalkQueue;
}

export function createReadAhead({ view, worker, leads, holders, line }: PrefetchedDirectory): ReadAhead {
  const out = new Map<PendingJob, PendingRead>();
  /** How many of the next make one errand, judging by the last that ended. */
  let most = 1;
  const learned = ({ goals }: Job, found: Found): Found => {
    const covered = goals.filter(({ way }) => found.has(way)).length;
    if (covered > 0) most = Math.max(1, Math.floor((covered * LIMITS.scoutDirectories) / found.size));
    return found;
  };
  const send = (): void => {
    for (const sent of out.keys()) if (sent.isBack()) out.delete(sent);
    while (out.size < LIMITS.readAheadJobs && worker.wake()) {
      const batch = batchOf(view, holders, line.unread(), most);
      if (!batch) return;
      const backs = batch.picked.map(({ from }) => holders.lend(from));
      const sent = worker.send(errandOf(leads, batch), () => backs.forEach((back) => back()));
      out.set(sent, given(batch, { found: undefined, sent }));
    }
  };
  /** Takes back what the other thread has not begun, the next first. */
  const help = (): boolean => {
    for (const [sent, reading] of out) {
      if (!sent.takeBack()) continue;
      out.delete(sent);
      reading.found = learned(sent.errand, read(sent.errand));
      send();
      return true;
    }
    return false;
  };
  const settle = (reading: PendingRead, sent: PendingJob): Found | Promise<Found> => {
    const over = (): Found => (reading.found ??= learned(sent.errand, sent.found()));
    for (let helped = 0; !reading.found && !sent.isBack(); helped++)
      if (helped >= LIMITS.readAheadJobs || !help()) return sent.wait(view.checkpoint).then(over);
    return over();
  };
  const readHere = (waiting: QueuedDirectory): Found | undefined => {
    const batch = batchOf(view, holders, withMore(waiting, line), most);
    if (!batch) return undefined;
    const errand = errandOf(leads, batch);
    return given(batch, { found: learned(errand, read(errand)) }).found;
  };
  return {
    known(waiting) {
      const { reading, way } = waiting;
      if (reading?.found?.has(way)) return reading.found.get(way);
      if (isUnread(waiting) && !worker.wake()) return undefined;
      send();
      const found = reading?.sent && !reading.found ? settle(reading, reading.sent) : readHere(waiting);
      return found instanceof Promise ? found.then((all) => all.get(way)) : found?.get(way);
    },
    end() {
      for (const sent of out.keys()) sent.callOff();
    },
  };
}

/** Directories that are read together: the same rules hold in all of them. */
interface Batch {
  readonly rules: IgnoreRules;
  readonly picked: readonly Picked[];
}

interface Picked {
  readonly waiting: QueuedDirectory;
  readonly from: OpenDirectoryRef;
  readonly goal: JobTarget;
}

/** What cannot be read by others stays for the walk. */
function batchOf(
  view: View,
  holders: OpenDirectories,
  unread: Iterable<QueuedDirectory>,
  most: number,
): Batch | undefined {
  let rules: IgnoreRules | undefined;
  const picked: Picked[] = [];
  for (const waiting of unread) {
    if (picked.length >= Math.min(most, LIMITS.readAheadTargets) || (rules && waiting.rules !== rules)) break;
    const next = pick(view, holders, waiting);
    if (next) {
      picked.push(next);
      rules = waiting.rules;
    } else waiting.reading = { found: new Map([[waiting.way, null]]) };
  }
  return rules && { rules, picked };
}

/** None where rules hide something: what may be seen there is decided entry by entry. */
function pick(view: View, holders: OpenDirectories, waiting: QueuedDirectory): Picked | undefined {
  const { from, place, entry, way, depth } = waiting;
  if (!from || entry.raw || view.hidesBelow(place)) return undefined;
  const shared = sharedBy(holders, from);
  if (shared === undefined) return undefined;
  return { waiting, from, goal: { shared, place: from.place, name: entry.name, way, depth } };
}

/** A directory that is gone is met again by the walk, and counted then. */
function sharedBy(holders: OpenDirectories, from: OpenDirectoryRef): string | undefined {
  try {
    return holders.opened(from).shared;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

const errandOf = (leads: JobOptions, { rules, picked }: Batch): Job => ({
  ...leads,
  goals: picked.map(({ goal }) => goal),
  serializedRules: rules.serializedRules(),
});

function given({ picked }: Batch, reading: PendingRead): PendingRead {
  for (const { waiting } of picked) waiting.reading = reading;
  return reading;
}

function* withMore(waiting: QueuedDirectory, line: WalkQueue): Iterable<QueuedDirectory> {
  yield waiting;
  yield* line.unread();
}
