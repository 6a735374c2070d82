import { isFault } from "../base/errors.ts";
import type { State } from "../storage/state.ts";
import type { AuditLog } from "./audit.ts";

/** One file a day in our state directory. */
export function auditLogIn(state: State, warn: Warn): AuditLog {
  const names = (): readonly string[] =>
    state
      .list(".")
      .filter((name) => /^audit-.*\.jsonl$/.test(name))
      .toSorted();
  const textOf = (name: string): string => state.read(name) ?? "";
  return {
    append: unlessFailing((lines) => state.append(`audit-${today()}.jsonl`, lines), warn),
    files: () => names().map((name) => ({ name, text: textOf(name) })),
    newest: () => names().slice(-1).map(textOf).join(""),
  };
}

/** A full disk must not stop reading: the loss is told once, and calls go on. */
function unlessFailing(sink: AuditLog["append"], warn: Warn): AuditLog["append"] {
  let told = false;
  return (lines) => {
    try {
      sink(lines);
    } catch (error) {
      // The operator may know where our files are.
      const reason = isFault(error) ? (error.cause ?? error) : error;
      if (!told) warn(`Cannot write the audit log: ${String(reason)}`);
      told = true;
    }
  };
}

const today = (): string => new Date().toISOString().slice(0, 10);

type Warn = (message: string) => void;
