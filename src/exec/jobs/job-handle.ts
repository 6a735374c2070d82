import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { CommandExit } from "../command.ts";
import { exitOfStatus, statusOfExit } from "../exit-status.ts";
import { resizeDevice } from "../pty/resize.ts";
import type { StartedCommand } from "../sandbox/sandbox.ts";
import type { EndedState, Job, JobState } from "./job.ts";
import { type JobRecord, reasonIn, removeJobDirectory, stateIn, writeReason, writeStatus } from "./job-directory.ts";
import { controlOfCommand, controlOfFiles, endByFiles, type JobControl } from "./job-control.ts";
import { closedInput } from "./job-input.ts";
import { createJobOutput } from "./job-output.ts";
import { createJobScreen, type JobScreen } from "./job-screen.ts";
import { DEVICE_FILE } from "./launch.ts";
import { logIn } from "./log.ts";

/** Returns the handle of a job that this process has started. */
export function ownJob(id: string, directory: string, record: JobRecord, command: StartedCommand): Job {
  let known: EndedState | undefined;
  const ended = command.exited
    .catch(() => NOT_BUILT)
    .then((exit) => {
      known = record.isDetached ? endedIn(directory, record) : noteExit(directory, exit);
      return known;
    });
  const control = record.isDetached ? controlOfFiles(directory, record) : controlOfCommand(command, record.hasInput);
  const state = (): JobState => known ?? { kind: "running" };
  const screen = createJobScreen(directory, record);
  screen.follow(control.write, ended);
  return jobHandle(id, directory, record, { control, state, screen, ended: () => ended });
}

/** Stands for a command that never began: the words of its sandbox are its output. Shells exit with this code, too. */
const NOT_BUILT: CommandExit = { code: 126, signal: null };

/**
 * Notes the exit for other processes. Where the disk fails, this one still knows. A sandbox reports the signal that
 * ended its command by the status of a shell: all processes take that for the signal.
 */
function noteExit(directory: string, exit: CommandExit): EndedState {
  const status = statusOfExit(exit);
  try {
    writeStatus(directory, status);
  } catch {
    // The directory was removed, or the disk has failed.
  }
  return { kind: "exited", exit: exitOfStatus(status), endedMs: Date.now(), ...reasonIn(directory) };
}

/** A supervisor that has exited without a note was killed. */
function endedIn(directory: string, record: JobRecord): EndedState {
  const state = stateIn(directory, record);
  return state.kind === "running" ? { kind: "lost", because: "killed", endedMs: Date.now() } : state;
}

/** Returns the handle of a job that some process has started, as its files show it. */
export const foundJob = (id: string, directory: string, record: JobRecord): Job => {
  let ended: Promise<EndedState> | undefined;
  return jobHandle(id, directory, record, {
    control: controlOfFiles(directory, record),
    screen: createJobScreen(directory, record),
    state: () => stateIn(directory, record),
    ended: () => (ended ??= endByFiles(directory, record)),
  });
};

interface JobParts {
  readonly control: JobControl;
  readonly screen: JobScreen;
  state(): JobState;
  ended(): Promise<EndedState>;
}

function jobHandle(id: string, directory: string, record: JobRecord, { control, screen, state, ended }: JobParts): Job {
  const hasEnded = (): boolean => state().kind !== "running";
  const output = createJobOutput(id, logIn(directory), {
    hasEnded,
    get ended() {
      return ended();
    },
  });
  return {
    id,
    description: record.description,
    isDetached: record.isDetached,
    screenSize: record.screenSize,
    startedMs: record.startedMs,
    state,
    get ended() {
      return ended();
    },
    output,
    async write(bytes) {
      if (hasEnded()) throw closedInput();
      await control.write(bytes === null && record.screenSize ? END_OF_INPUT : bytes);
    },
    screen: screen.text,
    async resize(size) {
      await resizeDevice(deviceOf(directory), size);
      await screen.resize(size);
    },
    signal(name) {
      if (!hasEnded()) control.signal(name);
    },
    async end(why = "stopped") {
      if (hasEnded()) return ended();
      writeReason(directory, why);
      return whileAlive(async () => {
        await control.end();
        return ended();
      });
    },
    remove() {
      if (!hasEnded()) throw new Fault("conflict", `Cannot remove job ${id}: it is running`, { hint: "End it first" });
      removeJobDirectory(directory);
    },
  };
}

/** Control-D, by which a terminal ends the input of a program. */
const END_OF_INPUT = Buffer.from([4]);

function deviceOf(directory: string): string {
  try {
    return readFileSync(join(directory, DEVICE_FILE), "utf8").trim();
  } catch {
    throw new Fault("conflict", "Cannot resize the terminal of the job: it has none", {
      hint: "Start the command with pty: true",
    });
  }
}

/** Keeps this process alive until the work is done: waiting for the end of a job does not. */
async function whileAlive<Result>(work: () => Promise<Result>): Promise<Result> {
  const alive = setInterval(() => {}, LIMITS.jobGraceMs);
  try {
    return await work();
  } finally {
    clearInterval(alive);
  }
}
