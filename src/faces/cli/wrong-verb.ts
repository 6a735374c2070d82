import { mostSimilar } from "../../text/did-you-mean.ts";
import { COMMAND_LINES, type CommandLine, type CommandName, verbOf } from "./command-lines.ts";
import { usage, warn } from "./terminal.ts";

/** A command whose words fit none of its forms: how the one that was begun is written, or which there are. */
export function wrongVerb(command: CommandName, said: string | undefined): number {
  const lines: readonly CommandLine[] = COMMAND_LINES[command];
  const begun = lines.filter((line) => verbOf(line) === said);
  const [first] = begun;
  if (first) {
    const forms = begun.map(({ takes }) => `holdfast ${command} ${takes}`).join(", or ");
    return usage(`use holdfast ${command} ${said}`, `it is written ${forms}`, `holdfast ${command} ${first.example}`);
  }
  const verbs = [...new Set(lines.map(verbOf))];
  const meant = said === undefined ? undefined : mostSimilar(said, verbs);
  if (meant !== undefined) return mistyped(`holdfast ${command}`, said, meant);
  return usage(`use holdfast ${command}`, `say ${orList(verbs)}`, `holdfast ${command} ${lines[0]?.example}`);
}

/** A word that is nearly one of those that a command knows. */
export function mistyped(command: string, said: string | undefined, meant: string): number {
  warn(`Cannot use ${command}: there is no ${JSON.stringify(said)}; did you mean "${command} ${meant}"?`);
  return 2;
}

const orList = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
