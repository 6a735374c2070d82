import { visible } from "../../text/quote.ts";

/** Shows a part of a command in a reason: in backticks, escaped, and cut. */
export function shown(part: string): string {
  const line = visible(part).replaceAll(/\s+/g, " ").trim();
  return `\`${line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line}\``;
}

const SHOWN_CHARACTERS = 80;

/** Says why a form of syntax is not covered, by its type in the tree. */
export function syntaxReason(type: string, part: string): string {
  return `${shown(part)} ${SYNTAX.get(type) ?? "has syntax that the list does not know"}`;
}

const SYNTAX: ReadonlyMap<string, string> = new Map([
  ["Function", "defines a function"],
  ["Coproc", "starts a coprocess"],
  ["For", "is a loop"],
  ["ArithmeticFor", "is a loop"],
  ["While", "is a loop"],
  ["Select", "is a loop"],
  ["Case", "chooses by a pattern"],
  ["ArithmeticCommand", "evaluates an expression"],
  ["TestCommand", "is a test of a form that is not on the list"],
  ["HereDoc", "holds a here-document"],
  ["Assignment", "sets a variable"],
]);
