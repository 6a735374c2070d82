import { setTimeout } from "node:timers/promises";
import { LIMITS } from "../../base/limits.ts";
import type { StartedCommand } from "../sandbox/sandbox.ts";
import { type JobRecord, processOfJob, stateIn } from "./job-directory.ts";
import { closedInput, writeInput } from "./job-input.ts";
import type { EndedState } from "./job.ts";
import { endTree, signalCommand } from "./process-tree.ts";

/** Acts on the processes of a job. */
export interface JobControl {
  write(bytes: Uint8Array | null): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Resolves when nothing of it runs any more. */
  end(): Promise<void>;
}

/** Controls a job that this process runs itself. */
export const controlOfCommand = (command: StartedCommand, hasInput: boolean): JobControl => ({
  async write(bytes) {
    if (!hasInput) throw closedInput();
    command.write(bytes);
  },
  signal: command.signal,
  end: () => command.end(LIMITS.jobGraceMs),
});

/** Controls a job by its files: a detached one, or one of another process. */
export const controlOfFiles = (directory: string, { isDetached, hasInput }: JobRecord): JobControl => ({
  async write(bytes) {
    if (!hasInput || !isDetached) throw closedInput();
    await writeInput(directory, bytes);
  },
  signal(name) {
    const identity = processOfJob(directory);
    if (identity !== undefined) signalCommand(identity, name, isDetached);
  },
  async end() {
    const identity = processOfJob(directory);
    if (identity !== undefined) await endTree(identity, LIMITS.jobGraceMs, isDetached);
  },
});

/** Looks again and again whether a job that this process did not start has ended. Keeps no process alive. */
export async function endByFiles(directory: string, record: JobRecord): Promise<EndedState> {
  for (;;) {
    const state = stateIn(directory, record);
    if (state.kind !== "running") return state;
    await setTimeout(END_POLL_MS, undefined, { ref: false });
  }
}

const END_POLL_MS = 200;
