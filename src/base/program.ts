/** Another program, at work. */
export interface Program {
  readonly output: AsyncIterable<Buffer>;
  /** How it ended, once its input is let go of; never rejects. */
  readonly ended: Promise<Ending>;
  /** Ends it at once. Harmless when it has ended. */
  kill(): void;
}

export interface Ending {
  /** Null when a signal ended it, or when it could not be started at all. */
  readonly code: number | null;
  /** The start of what it complained about. */
  readonly complaint: string;
}

export interface ProgramStart {
  readonly file: string;
  readonly words: readonly string[];
  readonly directory: string;
  /** What it is given to read; nothing when left out. Each piece is used up before the next is asked for. */
  readonly input?: AsyncIterable<Buffer>;
}

/** Starts a program: no shell, an empty environment. It is killed when its input cannot be read to the end. */
export type Spawn = (start: ProgramStart) => Program;

/** Another program that is talked with, line by line. */
export interface Companion {
  say(line: string): void;
  /** How it ended; never rejects. The complaint is the last that it said on standard error. */
  readonly ended: Promise<Ending>;
  /** Asks it to end, and ends it with all that it started when it does not. */
  end(): void;
}

/** Starts a program to talk with: no shell, an environment of its own. It ends with us. */
export type StartCompanion = (
  start: ProgramStart & { readonly env: Readonly<Record<string, string>> },
  hear: (line: string) => void,
) => Companion;

/** Gives a program something to read, and waits for what it says. It is stopped when it takes too long or says too much. */
export type AskProgram = (
  start: ProgramStart,
  input: string,
  ms: number,
) => Promise<Ending & { readonly output: string }>;
