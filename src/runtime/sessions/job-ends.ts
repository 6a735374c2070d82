import { LIMITS } from "../../base/limits.ts";
import { type CommandReport, stateNote, type UndoMode } from "../../exec/report.ts";
import { quoted } from "../../text/quote.ts";

/** Reports that a command in the background has ended. */
export interface JobEnd {
  readonly process_id: string;
  /** The start of the command as it was given, without secrets. */
  readonly command: string;
  readonly status: "done" | "lost";
  readonly exit_code?: number | null;
  readonly signal?: string | null;
  /** Says why we ended it, where we did. */
  readonly stopped?: "timeout" | "cancelled" | "killed";
  readonly duration_ms: number;
  readonly undo: UndoMode;
  /** Says all of this in a sentence, and what to do next. */
  readonly note: string;
}

/** Passes the end of a command on to people or programs. Must not throw or block. */
export type JobEndSink = (end: JobEnd) => void;

/** Holds the ends of background commands of one session until an answer has told them. */
export interface JobEnds {
  /** Lists what no answer has told yet: empty, at no cost, in a session without such commands. */
  readonly unreported: readonly JobEnd[];
  add(report: CommandReport): void;
  /** Drops the end of a command that an answer has told already. */
  forget(id: string): void;
  /** Returns all that is unreported, which is told then. */
  take(): readonly JobEnd[];
  /** Calls the listener at the end of each command, at once. */
  onEnd(listener: JobEndSink): void;
}

/** `redact` replaces secrets: what is told goes to logs, and by the protocol to the client. */
export function createJobEnds(redact: (text: string) => string): JobEnds {
  const unreported: JobEnd[] = [];
  const listeners: JobEndSink[] = [];
  return {
    unreported,
    add(report) {
      const end = endOf(report, shortened(redact(report.command)));
      unreported.push(end);
      for (const listener of listeners) listener(end);
    },
    forget(id) {
      const at = unreported.findIndex((end) => end.process_id === id);
      if (at >= 0) unreported.splice(at, 1);
    },
    take: () => unreported.splice(0),
    onEnd: (listener) => void listeners.push(listener),
  };
}

function endOf(report: CommandReport, command: string): JobEnd {
  const { id, exit, stopped, durationMs, undo } = report;
  const waits = undo === "overlay" ? "; its changes are not applied yet" : "";
  const shows = undo === "overlay" ? "applies them and shows its output" : "shows its output";
  return {
    process_id: id,
    command,
    status: report.state === "lost" ? "lost" : "done",
    ...(exit && { exit_code: exit.code, signal: exit.signal }),
    ...(stopped && { stopped }),
    duration_ms: durationMs,
    undo,
    note:
      `Background command ${id} has ended (${quoted(command)}): ${stateNote(report)}${waits}; ` +
      `process with action "poll" and process_id "${id}" ${shows}`,
  };
}

const shortened = (command: string): string =>
  command.length <= LIMITS.jobEndCommandChars ? command : `${command.slice(0, LIMITS.jobEndCommandChars)}…`;
