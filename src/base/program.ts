import { LIMITS } from "./limits.ts";

/** Another program that is running. */
export interface Program {
  /** Undefined when it could not be started. */
  readonly pid?: number | undefined;
  readonly output: AsyncIterable<Buffer>;
  /** Resolves when the program has exited and its input is closed; never rejects. */
  readonly exited: Promise<ProgramExit>;
  /** Kills it at once. Does nothing when it has exited. */
  kill(): void;
}

export interface ProgramExit {
  /** Null when a signal ended it, or when it could not be started at all. */
  readonly code: number | null;
  /** Holds the start of its standard error. */
  readonly stderr: string;
}

export interface ProgramCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
  /**
   * The standard input of the program; empty without it. A number is a descriptor that the program inherits. Each
   * piece is consumed before the next is requested.
   */
  readonly input?: number | AsyncIterable<Buffer>;
}

/**
 * Starts a program without a shell and with an empty environment. It is killed when its input cannot be read to the
 * end.
 */
export type Spawn = (start: ProgramCommand) => Program;

/** Another program that exchanges lines with us. */
export interface ChildProgram {
  send(line: string): void;
  /** Resolves when it has exited; never rejects. `stderr` holds the last of its standard error. */
  readonly exited: Promise<ProgramExit>;
  /** Asks it to exit, and kills it with all that it started when it does not. */
  stop(): void;
}

/** Another program that exchanges bytes with us. */
export interface PipedProgram extends Omit<ChildProgram, "send"> {
  write(text: string): void;
  /** Kills it with all that it started. */
  kill(): void;
}

/** Starts a program that exchanges lines with us: no shell, an environment of its own. It is stopped when our process ends. */
export type StartChildProgram = (
  start: ProgramCommand & { readonly env: Readonly<Record<string, string>> },
  onLine: (line: string) => void,
) => ChildProgram;

/** Holds the output of a program, and its exit. */
export interface ProgramResult extends ProgramExit {
  readonly output: string;
  /** Is set where it did not exit by itself: it took too long, printed too much, or never ran. */
  readonly stopReason?: "timeout" | "too_long" | "not_started";
}

/** Runs a program with `input` and waits for its output. Kills it when it takes too long or prints too much. */
export type RunProgram = (start: ProgramCommand, input: string, ms: number) => Promise<ProgramResult>;

/** Describes how a program failed; returns undefined when it exited with 0. */
export function failureOf({ code, stderr, stopReason }: ProgramResult, ms: number): string | undefined {
  const detail = stderr.trim() === "" ? "" : `: ${stderr.trim()}`;
  if (stopReason === "timeout") return `it took longer than ${ms / 1000} s${detail}`;
  if (stopReason === "too_long") return `it answered more than ${LIMITS.programAnswerChars} characters`;
  if (stopReason === "not_started") return `it did not start${detail}`;
  if (code === null) return `a signal ended it${detail}`;
  return code === 0 ? undefined : `it ended with code ${code}${detail}`;
}
