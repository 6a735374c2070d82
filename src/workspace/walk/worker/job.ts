import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { Job, ReadAheadResults } from "./run-job.ts";

/** A worker thread that reads directories before a walk reaches them. */
export interface ReadAheadWorker {
  /** Starts the thread unless it runs or has died. Returns true once it accepts jobs, never at the first call. */
  wake(): boolean;
  /** Sends a job; allowed only after `wake` returned true. The shared directories must stay open until `onDone`. */
  send(job: Job, onDone: () => void): PendingJob;
}

/** A job that was sent. */
export interface PendingJob {
  readonly job: Job;
  /** Cancels a job that has not started. Returns false if it has. */
  withdraw(): boolean;
  /** Cancels the job, also while it runs. */
  cancel(): void;
  isDone(): boolean;
  /** Waits until the job is done. Throws when the call is cancelled. */
  wait(checkpoint: Checkpoint): Promise<void>;
  /** Returns what was read once the job is done; the map is empty if the thread died. */
  results(): ReadAheadResults;
}

/** Sends jobs to the thread and receives their results. */
export interface Channel extends Pick<ReadAheadWorker, "send"> {
  isOpen(): boolean;
  /** Returns true if no job is pending and none was sent since the last call. */
  isIdle(): boolean;
  /** Ends all pending jobs with empty results. Returns false if it was closed already. */
  close(): boolean;
}

/** The message that sends a job to the worker thread. */
export interface JobRequest {
  readonly id: number;
  readonly job: Job;
  /** Holds one of `STATE` in memory that both threads share. */
  readonly state: Int32Array;
}

export interface JobReport {
  readonly id: number;
  readonly text: string;
}

export const STATE = { queued: 0, running: 1, done: 2, cancelled: 3 } as const;

/** Moves a job to another state by compare-and-exchange. Returns false if it was not in the expected state. */
export const transition = (state: Int32Array, from: keyof typeof STATE, to: keyof typeof STATE): boolean =>
  Atomics.compareExchange(state, 0, STATE[from], STATE[to]) === STATE[from];
