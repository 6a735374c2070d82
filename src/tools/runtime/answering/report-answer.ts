import * as z from "zod";
import { type CommandReport, stateNote } from "../../../exec/report.ts";
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

/** Lists the fields by which answers say what a command changed. */
export const changesReported = {
  applied: z.boolean().optional(),
  changes: z.array(z.string()).optional(),
  diff: z.string().optional(),
  change_id: z.string().optional(),
};

/** Builds the answer about one command: its output first, then how it ended or goes on. */
export function reportAnswer(report: CommandReport): Omit<Answer, "kind"> {
  const output = report.output === "" ? "(no output)" : report.output;
  const changed = report.changes?.length ? ["Changed:", ...report.changes, ...undoWith(report)] : [];
  return answer([output.trimEnd(), ...changed].join("\n"), reportData(report), [stateNote(report), ...report.notes]);
}

const undoWith = ({ changeId }: CommandReport): readonly string[] =>
  changeId === undefined ? [] : [`To take it back: undo with change_id "${changeId}"`];

/** Returns the report as data. */
export const reportData = (report: CommandReport): Answer["data"] => ({
  process_id: report.id,
  status: report.state,
  ...(report.exit && { exit_code: report.exit.code, signal: report.exit.signal }),
  ...(report.stopped && { stopped: report.stopped }),
  duration_ms: report.durationMs,
  cwd: report.directory,
  output: report.output,
  truncated: report.isCut,
  undo: report.undo,
  ...(report.changes && { changes: report.changes }),
  ...(report.changeId !== undefined && { change_id: report.changeId }),
});
