import type { JobEntry, TimelineEvent } from "../../contract.ts";

/** The look of a row, and the word at its end; a word with an action is a button. */
export interface EventState {
  readonly class: string;
  readonly word: string;
  readonly action?: "undo";
  readonly why?: string;
}

export function stateOf(event: TimelineEvent, jobs: readonly JobEntry[]): EventState {
  const { kind, change } = event;
  if (kind === "blocked") return { class: "block", word: "Blocked" };
  if (kind === "asked") return questionState(event);
  if (kind === "failed") return { class: "fail", word: "Failed" };
  if (jobs.some(({ id, state }) => id === event.job && state === "running")) return { class: "live", word: "Running" };
  if (!change) return { class: kind, word: "" };
  if (change.undone) return { class: "undone", word: "Undone" };
  if (change.final !== undefined) return { class: "edit", word: "Stays", why: change.final };
  return { class: lookOf(event), word: kind === "undo" ? "Redo" : "Undo", action: "undo" };
}

/** Tells a question from its answer, an event of its own: its tool is `approval`, and its code is the decision. */
function questionState({ tool, code }: TimelineEvent): EventState {
  if (code === "denied" || code === "deny") return { class: "denied", word: "Denied" };
  return { class: "wait-past", word: tool === "approval" ? "Approved" : "Asked" };
}

function lookOf({ kind, change }: TimelineEvent): string {
  if (kind === "undo") return "undo";
  return change?.files.every(({ action }) => action === "deleted") ? "del" : "edit";
}
