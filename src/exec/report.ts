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
  /** Says that a part of the output is not shown here. */
  readonly isCut: boolean;
  readonly undo: UndoMode;
  /** Lists what it changed on the files themselves since the last report, where that is known. */
  readonly changes?: readonly string[] | undefined;
  /** Names the change set that undo takes back, where there is one. */
  readonly changeId?: string | undefined;
  /** Says what the reader has to know besides. */
  readonly notes: readonly string[];
}

/** Writes to the standard input of a job: text as it is, keys by their names, or text as a terminal pastes it. */
export type JobInput =
  | { readonly kind: "text" | "paste" | "hex"; readonly text: string }
  | { readonly kind: "keys"; readonly keys: readonly string[] }
  | { readonly kind: "end" };

/** Says in a few words how a command ended or goes on: "exit code 0, 1.2 s, undo: overlay". */
export function stateNote(report: CommandReport): string {
  const seconds = `${(report.durationMs / 1000).toFixed(1)} s`;
  return [endText(report), seconds, `undo: ${report.undo}`].join(", ");
}

function endText({ id, state, exit, stopped }: CommandReport): string {
  if (state === "running") return `Running as ${id}; poll it with process`;
  if (state === "lost") return `${id} is lost: its process is gone`;
  if (stopped === "timeout") return "Ended by its time-out";
  if (stopped) return stopped === "cancelled" ? "Cancelled" : "Ended";
  return exit?.signal ? `signal ${exit.signal}` : `exit code ${exit?.code ?? "unknown"}`;
}
