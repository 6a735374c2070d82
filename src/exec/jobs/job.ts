import type { CommandExit } from "../command.ts";
import type { Rung, StartedCommand, Streams } from "../sandbox/sandbox.ts";
import type { ScreenSize } from "../pty/terminal.ts";
import type { JobOutput } from "./job-output.ts";

/** Says what a job is and whom it belongs to. All of it is written down, so that another process can tell. */
export interface JobDescription {
  /** The command as the caller wrote it, for people. */
  readonly command: string;
  readonly directory: string;
  readonly session: string;
  readonly agent: string;
  readonly principal: string;
  /** The real paths of the roots that it may use. */
  readonly roots: readonly string[];
  readonly undo: "overlay" | "picture" | "none";
  /** The sandbox that it runs in. */
  readonly sandbox?: Rung | undefined;
  /** Holds whatever else the runtime wants to find again after a restart, such as the id of a view. */
  readonly notes?: Readonly<Record<string, string>> | undefined;
}

/** Asks for a job. */
export interface NewJob extends JobDescription {
  /** Lets the job outlive this process; otherwise it ends with it. */
  readonly isDetached?: boolean | undefined;
  /** Opens its standard input for `write`; otherwise that is empty. */
  readonly hasInput?: boolean | undefined;
  /** Runs it in a terminal of this size. Implies `hasInput`. */
  readonly screenSize?: ScreenSize | undefined;
  /** Ends it after this time, by whatever process then looks after it. */
  readonly timeoutMs?: number | undefined;
}

/** Starts the command of a job, usually `sandbox.start(command, bounds, streams)`. */
export type StartCommand = (streams: Streams) => Promise<StartedCommand>;

/** A job on this machine: of this process, of another one, or of one that has exited. */
export interface Job {
  readonly id: string;
  readonly description: JobDescription;
  readonly isDetached: boolean;
  /** The size of its terminal; undefined without one. */
  readonly screenSize: ScreenSize | undefined;
  readonly startedMs: number;
  state(): JobState;
  /** Resolves when it has ended; never rejects. Keeps no process alive. */
  readonly ended: Promise<EndedState>;
  readonly output: JobOutput;
  /** Writes to its standard input; null closes it. Throws a `Fault` where that is not open, or full. */
  write(bytes: Uint8Array | null): Promise<void>;
  /** Returns what its terminal shows now; undefined without a terminal, or where the screen package is not installed. */
  screen(): Promise<string | undefined>;
  /** Changes the size of its terminal. Throws a `Fault` where it has none. */
  resize(size: ScreenSize): Promise<void>;
  /** Signals the command itself. Does nothing when it has ended. */
  signal(name: NodeJS.Signals): void;
  /** Ends it and all that it started: TERM, and KILL after the grace of `LIMITS.jobGraceMs`. */
  end(why?: EndReason): Promise<EndedState>;
  /** Removes what is left of it. Throws a `Fault` while it runs. */
  remove(): void;
}

export type JobState = RunningState | EndedState;

export interface RunningState {
  readonly kind: "running";
}

/** A job that has ended: with an exit that is known, or lost with the process or the boot that it belonged to. */
export type EndedState =
  | {
      readonly kind: "exited";
      readonly exit: CommandExit;
      readonly endedMs: number;
      /** Says why we ended it; undefined where it ended by itself. */
      readonly reason?: EndReason | undefined;
    }
  | {
      readonly kind: "lost";
      readonly because: LostBecause;
      /** The time of its last output. */
      readonly endedMs: number;
      readonly reason?: EndReason | undefined;
    };

/** "rebooted": the machine was started anew. "killed": somebody killed it, or the server that it belonged to. */
export type LostBecause = "rebooted" | "killed";

/** "output": it wrote more than the disk may hold. "session": the session or server that it belonged to ended. */
export type EndReason = "stopped" | "timeout" | "cancelled" | "output" | "session";
