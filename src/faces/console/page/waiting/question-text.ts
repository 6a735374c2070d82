import type { WaitingQuestion } from "../../contract.ts";
import { lineCounts } from "../diff/rows.ts";
import { counted } from "../format/quantity.ts";
import { verbOf } from "../timeline/verb.ts";

/** A question as a title: "Edit" and its path, or "Run" and its command. */
export interface QuestionTitle {
  readonly verb: string;
  readonly subject: string;
  readonly more: string;
}

export function titleOf({ tool, effects, summary, recoverable }: WaitingQuestion): QuestionTitle {
  const [first] = effects;
  const verb = verbOf(tool);
  const ending = recoverable ? "" : "for good";
  if (!first || verb === "run") return { verb: capital(verb), subject: summary.split("\n", 1)[0] ?? "", more: "" };
  const others = effects.length > 1 ? `and ${effects.length - 1} more` : "";
  const more = [others, verb === "delete" ? ending : ""].filter((part) => part !== "").join(" ");
  return { verb: capital(verb), subject: first.path, more };
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Sums up the lines of all effects. */
export const countsOf = ({ effects }: WaitingQuestion): { readonly added: number; readonly removed: number } =>
  lineCounts(effects.flatMap(({ hunks = [] }) => hunks));

export function effectText({ effects, summary }: WaitingQuestion): string {
  if (effects.every(({ hunks }) => hunks === undefined)) return summary;
  return `${counted(effects.length, "file")} ${effects.length === 1 ? "changes" : "change"}`;
}

/** Says why a yes cannot be given here, or nothing if it can. */
export function refusalOf({ state, answerable, current }: WaitingQuestion): string | undefined {
  if (state !== "pending") return "It is answered";
  if (!answerable) return "The rules let others answer this, not the console";
  return current ? undefined : "Changed since it was asked";
}

/** Says how a question ended: "approved for this session", "denied, “too early”". */
export function endText({ state, answer }: WaitingQuestion): string {
  if (state === "expired") return "expired without an answer";
  if (answer?.decision === "deny" || state === "denied")
    return answer?.reason ? `denied, “${answer.reason}”` : "denied";
  if (answer?.decision === "session") return "approved for this session";
  return answer?.decision === "always" ? "approved always" : "approved once";
}
