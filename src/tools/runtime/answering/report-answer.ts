import * as z from "zod";
import type { CommandReport } from "../../../exec/report.ts";
import { answer, type Answer } from "../../tool.ts";

/** Lists the fields by which answers describe a command. */
export const reported = {
  process_id: z.string().optional(),
  status: z.enum(["running", "done", "lost"]).optional(),
  exit_code: z.number().nullable().optional(),
  signal: z.string().nullable().optional(),
  stopped: z.enum(["timeout", "cancelled", "killed"]).optional(),
  duration_ms: z.number().optional(),
  cwd: z.string().optional(),
  output: z.string().optional(),
  truncated: z.boolean().optional(),
  undo: z.enum(["overlay", "picture", "none"]).optional(),
};

/** Builds the answer about one command: its output first, then how it ended or goes on. */
export function reportAnswer(report: CommandReport): Omit<Answer, "kind"> {
  const text = report.output === "" ? "(no output)" : report.output;
  return answer(text, reportData(report), [stateNote(report), ...report.notes]);
}

/** Returns the report as data. */
export const reportData = (report: CommandReport): Answer["data"] => ({
  process_id: report.id,
  status: report.state,
  ...(report.exit && { exit_code: report.exit.code, signal: report.exit.signal }),
  ...(report.stopped && { stopped: report.stopped }),
  duration_ms: report.durationMs,
  cwd: report.directory,
  output: report.output,
  truncated: report.leftOut > 0,
  undo: report.undo,
});

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
