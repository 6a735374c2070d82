import type { CommandExit } from "./command.ts";

/**
 * Says how what a command changed can be taken back: completely, since it ran on a copy-on-write view; as far as there
 * was a copy of what it changed; or not at all.
 */
export type UndoMode = "overlay" | "picture" | "none";

/** Reports on a command that has ended or still runs. */
export interface CommandReport {
  readonly id: string;
  /** The command as it was given. */
  readonly command: string;
  /** "lost": the machine was started again since, or its process is gone without a trace. */
  readonly state: "running" | "done" | "lost";
  readonly exit?: CommandExit | undefined;
  /** Says why we ended it, where we did. */
  readonly stopped?: "timeout" | "cancelled" | "killed" | undefined;
  readonly directory: string;
  readonly durationMs: number;
  /** The output, neutralised: no character of it moves a cursor, hides text or forges a line of ours. */
  readonly output: string;
  /** Counts the characters that were left out of the output. */
  readonly leftOut: number;
  readonly undo: UndoMode;
  /** Says what the reader has to know besides. */
  readonly notes: readonly string[];
}

/** Writes to the standard input of a job: text as it is, keys by their names, or text as a terminal pastes it. */
export type JobInput =
  | { readonly kind: "text" | "paste" | "hex"; readonly text: string }
  | { readonly kind: "keys"; readonly keys: readonly string[] }
  | { readonly kind: "end" };
