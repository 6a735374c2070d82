import type { Assignment, Command, Redirection, SyntaxNode, Word } from "unbash";
import { judgeProgram } from "./program.ts";
import type { Judging } from "./judging.ts";
import { judgeRedirect } from "./redirect.ts";
import { shown, syntaxReason } from "./reasons.ts";
import { readWord, type StaticWord } from "./word.ts";

/** Lists programs inside of a part that is not covered. */
type Collect = (judging: Judging, node: SyntaxNode) => void;

/** Judges a program with its words, variables and redirections. Returns its script. */
export function judgeCommand(judging: Judging, command: Command, collect: Collect): string {
  const variables: string[] = [];
  const words: (StaticWord | undefined)[] = command.name ? [judgeWord(judging, command.name, collect)] : [];
  // Redirections stand among the words, and are in force for the whole command.
  const redirects: string[] = [];
  for (const part of [...command.prefix, ...command.suffix]) {
    if (part.type === "Word") words.push(judgeWord(judging, part, collect));
    else if (part.type === "Assignment") variables.push(judgeVariable(judging, part, words.length > 1, collect));
    else redirects.push(redirected(judging, part, collect));
  }
  const [name, ...rest] = words;
  if (name === undefined) return unnamed(judging, command);
  const program = judgeProgram(judging, [name, ...rest.filter((word) => word !== undefined)]);
  return [...variables, program, ...redirects].join(" ");
}

function unnamed(judging: Judging, { name, pos, end }: Command): string {
  if (name === undefined) judging.syntaxProblems.add(`${shown(judging.source.slice(pos, end))} names no program`);
  return ":";
}

/** Reads a word twice, as the parser and by our own rules: both must say the same. */
function judgeWord(judging: Judging, word: Word, collect: Collect): StaticWord | undefined {
  const read = readWord(word.text, judging.context.home);
  const isSame = "dynamic" in read || /[~$]/.test(word.text) || read.value === word.value;
  if (!("dynamic" in read) && isSame) return read;
  judging.syntaxProblems.add(`${shown(word.text)} is known only when the command runs`);
  collect(judging, word);
  return undefined;
}

/** Judges a variable that is set for one program: only some values of some variables do no harm. */
function judgeVariable(judging: Judging, node: Assignment, isArgument: boolean, collect: Collect): string {
  const { name, value, index, append, text } = node;
  const read = value.type === "Word" ? readWord(value.text, judging.context.home) : undefined;
  const isPlain = !isArgument && index === undefined && !append && read !== undefined && !("dynamic" in read);
  if (isPlain && !read.isPattern && HARMLESS_VARIABLES.get(name)?.test(read.value)) return `${name}=${read.script}`;
  judging.syntaxProblems.add(syntaxReason("Assignment", text));
  collect(judging, node);
  return "";
}

const SWITCH = /^[01]?$/;
const LOCALE = /^(?:C|POSIX|C\.UTF-8|C\.utf8|en_US\.UTF-8)$/;

const HARMLESS_VARIABLES: ReadonlyMap<string, RegExp> = new Map([
  ["CI", /^(?:[01]|true|false)$/],
  ["NO_COLOR", SWITCH],
  ["CLICOLOR", SWITCH],
  ["LANG", LOCALE],
  ["LC_ALL", LOCALE],
  ["LC_COLLATE", LOCALE],
  ["LC_CTYPE", LOCALE],
  ["TZ", /^UTC$/],
  ["PAGER", /^cat$/],
  ["GIT_PAGER", /^cat$/],
]);

function redirected(judging: Judging, redirection: Redirection, collect: Collect): string {
  const script = judgeRedirect(judging, redirection);
  collect(judging, redirection);
  return script;
}
