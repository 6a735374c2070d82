import { mostSimilar } from "../../text/did-you-mean.ts";
import { COMMAND_LINES, type CommandLine, type CommandName, verbOf } from "./command-lines.ts";
import { usage, warn } from "./terminal.ts";

/** Reports words that fit no form of a command: prints the usage of the verb, or else lists the verbs. */
export function wrongVerb(command: CommandName, verb: string | undefined): number {
  const lines: readonly CommandLine[] = COMMAND_LINES[command];
  const matching = lines.filter((line) => verbOf(line) === verb);
  const [first] = matching;
  if (first) {
    const forms = matching.map(({ takes }) => `holdfast ${command} ${takes}`).join(", or ");
    return usage(`use holdfast ${command} ${verb}`, `the usage is ${forms}`, `holdfast ${command} ${first.example}`);
  }
  const verbs = [...new Set(lines.map(verbOf))];
  const meant = verb === undefined ? undefined : mostSimilar(verb, verbs);
  if (meant !== undefined) return suggestVerb(`holdfast ${command}`, verb, meant);
  return usage(`use holdfast ${command}`, `give ${orList(verbs)}`, `holdfast ${command} ${lines[0]?.example}`);
}

/** Suggests the word that was probably meant. */
export function suggestVerb(command: string, word: string | undefined, meant: string): number {
  warn(`Cannot use ${command}: there is no ${JSON.stringify(word)}; did you mean "${command} ${meant}"?`);
  return 2;
}

const orList = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
