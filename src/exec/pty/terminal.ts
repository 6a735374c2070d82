import type { StartedCommand, Streams } from "../sandbox/sandbox.ts";

/** The size of a terminal in characters. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** A terminal for one command, of which there are two kinds; test/exec/pty is their contract. */
export interface Terminal {
  readonly kind: "zigpty" | "script";
  /** Goes to the sandbox that starts the command. */
  readonly streams: Pick<Streams, "input" | "output" | "isTerminal" | "supervisor">;
  /**
   * Takes over the command that was started with these streams. Its `write` then types, and its exit comes after the
   * last output has been written to the log.
   */
  attach(command: StartedCommand): StartedCommand;
  /** Releases the terminal when no command was started. */
  close(): void;
}

/** Asks for a terminal whose output goes to a log. */
export interface NewTerminal {
  readonly size: ScreenSize;
  /** The path of the log, and its descriptor, which is open until the command has been started. */
  readonly logPath: string;
  readonly log: number;
  /** The file that gets the path of the terminal device, by which any process can resize it. */
  readonly deviceFile: string;
}
