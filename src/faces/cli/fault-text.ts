import { answerOf, type Code, type Fault } from "../../base/errors.ts";

/** Returns the message of a fault for a person, followed by the next step unless the message names one itself. */
export function faultText(fault: Fault): string {
  const { message, code } = fault;
  if (code === "invalid_input" || message.includes("; ")) return message;
  return `${message}; ${NEXT_STEPS[code] ?? lowerFirst(answerOf(fault).hint)}`;
}

/** Replaces hints that help a model but not a person at the command line. */
const NEXT_STEPS: Readonly<Partial<Record<Code, string>>> = {
  not_found: "holdfast history shows what was there",
  outside_workspace: "use --root for another directory",
  denied: "holdfast policy explain shows which rule decides",
  no_change: "holdfast history shows what happened to each change",
};

const lowerFirst = (hint: string): string => hint.charAt(0).toLowerCase() + hint.slice(1);
