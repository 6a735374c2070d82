import { answerOf, type Code, type Fault } from "../../base/errors.ts";

/** What a person is told of a fault: what is wrong and, unless the message itself says so, what to do next. */
export function faultText(fault: Fault): string {
  const { message, code } = fault;
  if (code === "invalid_input" || message.includes("; ")) return message;
  return `${message}; ${NEXT_STEPS[code] ?? lowerFirst(answerOf(fault).hint)}`;
}

/** Where the hint for a model is of no use to whoever sits at the command line. */
const NEXT_STEPS: Readonly<Partial<Record<Code, string>>> = {
  not_found: "holdfast history tells what was there",
  outside_workspace: "another directory goes behind --root",
  denied: "holdfast policy explain tells which rule decides",
  no_change: "holdfast history tells what happened to each change",
};

const lowerFirst = (hint: string): string => hint.charAt(0).toLowerCase() + hint.slice(1);
