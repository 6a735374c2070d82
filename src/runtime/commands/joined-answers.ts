import { hasCode, toFault } from "../../base/errors.ts";
import { visible } from "../../text/quote.ts";
import { answer } from "../../tools/tool.ts";
import type { Performed } from "../pipeline/perform.ts";

/** Joins the answer about a command with the one about what it changed. */
export function joinedAnswers(ran: Performed, applied: Performed): Performed {
  const notes = [...notesIn(ran), ...notesIn(applied)];
  return {
    ...applied,
    blocks: [...ran.blocks, ...applied.blocks],
    data: { ...ran.data, ...applied.data, ...(notes.length > 0 && { notes }) },
  };
}

const notesIn = ({ data }: Performed): readonly unknown[] => (Array.isArray(data["notes"]) ? data["notes"] : []);

/**
 * Says why the changes of a command were not applied, and how they still can be. The command itself has run, so its
 * answer is no error. Throws where the call was cancelled.
 */
export function notAppliedAnswer(ran: Performed, error: unknown): Performed {
  if (hasCode(error, "cancelled")) throw error;
  const { code, message, details } = toFault(error);
  const id = String(ran.data["process_id"]);
  const says = visible(
    `Not applied (${code}): ${message}${details["discarded"] === true ? "" : nextStep(code, message, id)}`,
  );
  const { blocks, data } = answer("", { applied: false, not_applied: message, ...details }, [says]);
  return joinedAnswers(ran, { blocks, data });
}

/** Says what can be done with changes that wait. A message may end with a command to paste, which keeps its line. */
function nextStep(code: string, message: string, id: string): string {
  const kept = `the changes are kept for a day: process with action "apply" or "discard" and process_id "${id}"`;
  const ways = `; the user decides with: holdfast jobs apply ${id} ours, or theirs for those of the command`;
  return `${message.includes("\n") ? "\n" : "; "}${kept}${code === "conflict" ? ways : ""}`;
}
