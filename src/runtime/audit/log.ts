import type { State } from "../../storage/state.ts";
import type { AuditLog } from "./audit.ts";

/** Keeps the log in the state directory, one file a day for all processes. */
export function auditLogIn(state: State): AuditLog {
  const names = (): readonly string[] =>
    state
      .list(".")
      .filter((name) => /^audit-.*\.jsonl$/.test(name))
      .toSorted();
  return {
    append: (lines) => state.append(`audit-${today()}.jsonl`, lines),
    files: () => names().map((name) => ({ name, text: wholeLinesOf(state.read(name) ?? "") })),
    lastLine: () => names().slice(-1).map(state.lastLine).join(""),
  };
}

/** Leaves out a last line without its end: another process is writing it, or was killed meanwhile. */
const wholeLinesOf = (text: string): string => text.slice(0, text.lastIndexOf("\n") + 1);

const today = (): string => new Date().toISOString().slice(0, 10);
