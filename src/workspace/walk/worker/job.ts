import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { Job, ReadAheadResults } from "./run-job.ts";

/** A second thread that reads directories before a walk comes to them. */
export interface ReadAheadWorker {
  /** Starts the thread unless it runs, or died. Whether it can be sent by now; the first time it never can. */
  wake(): boolean;
  /** What the errand starts from must stay open until `back` is called. Only while it is awake. */
  send(errand: Job, back: () => void): PendingJob;
}

/** An errand that was sent. */
export interface PendingJob {
  readonly job: Job;
  /** Whether it had not begun: then it never will. */
  withdraw(): boolean;
  /** Nobody needs it any more. */
  cancel(): void;
  isDone(): boolean;
  /** Waits until it is back. Throws once the call is cancelled. */
  wait(checkpoint: Checkpoint): Promise<void>;
  /** What was read, once it is back; nothing of it when the thread died. */
  results(): ReadAheadResults;
}

/** Where errands go out and reports come in. */
export interface Channel extends Pick<ReadAheadWorker, "send"> {
  isOpen(): boolean;
  /** Nothing is under way, nor was anything sent since this was last asked. */
  isIdle(): boolean;
  /** Everything is as good as back, with nothing read. Whether it was open until now. */
  close(): boolean;
}

/** What one thread tells the other. */
export interface JobRequest {
  readonly id: number;
  readonly job: Job;
  /** How far it is: one number that both see at once. */
  readonly state: Int32Array;
}

export interface JobReport {
  readonly id: number;
  readonly text: string;
}

export const STATE = { queued: 0, running: 1, done: 2, cancelled: 3 } as const;

/** Moves an errand on, unless it is not where it was thought to be. */
export const transition = (state: Int32Array, from: keyof typeof STATE, to: keyof typeof STATE): boolean =>
  Atomics.compareExchange(state, 0, STATE[from], STATE[to]) === STATE[from];
