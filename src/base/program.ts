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

/** Gives a program something to read, and waits for what it says. It is stopped when it takes too long or says too much. */
export type AskProgram = (
  start: ProgramStart,
  input: string,
  ms: number,
) => Promise<Ending & { readonly output: string }>;
