import { LIMITS } from "./limits.ts";

/** Another program, at work. */
export interface Program {
  /** Undefined when it could not be started. */
  readonly pid?: number | undefined;
  readonly output: AsyncIterable<Buffer>;
  /** How it ended, once its input is let go of; never rejects. */
  readonly exited: Promise<ProgramExit>;
  /** Ends it at once. Harmless when it has ended. */
  kill(): void;
}

export interface ProgramExit {
  /** Null when a signal ended it, or when it could not be started at all. */
  readonly code: number | null;
  /** The start of what it complained about. */
  readonly stderr: string;
}

export interface ProgramCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
  /**
   * What it reads from standard input; nothing when left out. A number is a descriptor that it inherits. Each piece is
   * used up before the next is asked for.
   */
  readonly input?: number | AsyncIterable<Buffer>;
}

/** Starts a program: no shell, an empty environment. It is killed when its input cannot be read to the end. */
export type Spawn = (start: ProgramCommand) => Program;

/** Another program that is talked with, line by line. */
export interface ChildProgram {
  send(line: string): void;
  /** How it ended; never rejects. The complaint is the last that it said on standard error. */
  readonly exited: Promise<ProgramExit>;
  /** Asks it to end, and ends it with all that it started when it does not. */
  stop(): void;
}

/** Starts a program to talk with: no shell, an environment of its own. It ends with us. */
export type StartChildProgram = (
  start: ProgramCommand & { readonly env: Readonly<Record<string, string>> },
  onLine: (line: string) => void,
) => ChildProgram;

/** What a program answered, and how it ended. */
export interface ProgramResult extends ProgramExit {
  readonly output: string;
  /** Set where it did not end by itself: it took too long, said too much, or never ran. */
  readonly stopReason?: "late" | "long" | "unstarted";
}

/** Gives a program something to read, and waits for what it says. It is stopped when it takes too long or says too much. */
export type RunProgram = (start: ProgramCommand, input: string, ms: number) => Promise<ProgramResult>;

/** Says in words how a program failed; undefined when it ended with 0. */
export function failureOf({ code, stderr, stopReason }: ProgramResult, ms: number): string | undefined {
  const detail = stderr.trim() === "" ? "" : `: ${stderr.trim()}`;
  if (stopReason === "late") return `it took longer than ${ms / 1000} s${detail}`;
  if (stopReason === "long") return `it answered more than ${LIMITS.programAnswerChars} characters`;
  if (stopReason === "unstarted") return `it did not start${detail}`;
  if (code === null) return `a signal ended it${detail}`;
  return code === 0 ? undefined : `it ended with ${code}${detail}`;
}
