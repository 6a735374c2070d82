import { flagsOf, type FlagKind, type Grammar } from "./grammar.ts";
import { problemIn } from "./languages/languages.ts";
import { has, NUMBER, placeOf, readOperands, type Arguments } from "./operands.ts";
import { joined } from "./paths.ts";
import { plainWord, type StaticWord } from "./word.ts";

/** Reads the words behind the name of a program by its grammar. */
export function readArguments(grammar: Grammar, words: readonly StaticWord[]): Arguments {
  const read: Arguments = {
    grammar,
    directory: "",
    problems: [],
    places: [],
    flags: new Set(),
    operands: [],
    script: (grammar.hardening ?? []).map(plainWord),
    wrapped: [],
    areFlagsOver: false,
  };
  for (let at = 0; at < words.length;) at = takeWord(read, words, at);
  if (read.grammar.commands !== undefined && !read.grammar.mayBeBare) read.problems.push("a sub-command is missing");
  if (read.grammar.needsFlag && read.flags.size === 0) read.problems.push("only some of its options are on the list");
  readOperands(read);
  if (has(read, grammar.recursiveWith)) read.script.unshift(...(grammar.recursiveHardening ?? []).map(plainWord));
  if (grammar.isWrapper && read.wrapped.length === 0) read.problems.push("it has no command to run");
  if (read.grammar.refusal !== undefined) read.problems.push(read.grammar.refusal);
  return read;
}

/** Takes the word at an index, and what belongs to it. Returns the index behind. */
function takeWord(read: Arguments, words: readonly StaticWord[], at: number): number {
  const word = words[at];
  if (word === undefined) return words.length;
  const { grammar } = read;
  if (word.hasStatus && !grammar.takesStatus) read.problems.push(`${word.value} is not fixed`);
  if (grammar.isText) return takeText(read, word, at);
  const isFlag = !read.areFlagsOver && word.value.startsWith("-") && word.value !== "-" && !word.isPattern;
  if (isFlag) return takeFlags(read, words, at);
  if (grammar.commands !== undefined) return takeCommand(read, grammar.commands, word, at);
  if (grammar.isWrapper && read.operands.length === (grammar.first ?? []).length) {
    read.wrapped = words.slice(at);
    return words.length;
  }
  return takeOperand(read, word, at);
}

function takeText(read: Arguments, word: StaticWord, at: number): number {
  if (word.isPattern) read.problems.push(`${word.value} is a pattern`);
  read.script.push(word);
  return at + 1;
}

/** Takes the word that selects the grammar of a sub-command. */
function takeCommand(
  read: Arguments,
  commands: Readonly<Record<string, Grammar>>,
  word: StaticWord,
  at: number,
): number {
  const next = Object.hasOwn(commands, word.value) && !word.isPattern ? commands[word.value] : undefined;
  if (next === undefined) read.problems.push(`${word.value} is not on the list`);
  read.grammar = next ?? { isText: true };
  read.script.push(word, ...(read.grammar.hardening ?? []).map(plainWord));
  return at + 1;
}

function takeOperand(read: Arguments, word: StaticWord, at: number): number {
  const { areFlagsOver, grammar, problems } = read;
  if (word.mayMatchFlags && !areFlagsOver && !grammar.hasOnlyHarmlessFlags)
    problems.push(`${word.value} may match a name that begins with a dash; ./${word.value} cannot`);
  // Older versions of bash match `..` with `.*`.
  if (word.isPattern && word.value.split("/").some((part) => part === ".." || /^\.[*?[]/.test(part)))
    problems.push(`${word.value} may match the directory above`);
  read.operands.push({ word, isBehindDashes: areFlagsOver });
  read.script.push(word);
  return at + 1;
}

function takeFlags(read: Arguments, words: readonly StaticWord[], at: number): number {
  const text = words[at]?.value ?? "";
  const end = text === "--" ? endFlags(read, at) : takeFlag(read, words, at, text);
  read.script.push(...words.slice(at, end));
  return end;
}

function endFlags(read: Arguments, at: number): number {
  read.areFlagsOver = true;
  return at + 1;
}

function takeFlag(read: Arguments, words: readonly StaticWord[], at: number, text: string): number {
  if (/^-\d+$/.test(text) && read.grammar.takesDigits) return at + 1;
  if (text.startsWith("--") || read.grammar.hasLongNames) return takeLong(read, words, at, text);
  return takeCluster(read, words, at, text.slice(1));
}

function takeLong(read: Arguments, words: readonly StaticWord[], at: number, text: string): number {
  const equals = text.indexOf("=");
  const [name, attached] = equals === -1 ? [text] : [text.slice(0, equals), text.slice(equals + 1)];
  const kind = flagsOf(read.grammar).get(name);
  if (kind === undefined || (kind === "flag" && attached !== undefined)) return unknownFlag(read, name, at);
  read.flags.add(name);
  if (kind === "flag" || kind === "optional") return at + 1;
  const values = attached === undefined ? words.slice(at + 1) : [plainWord(attached), ...words.slice(at + 1)];
  const count = kind === "pair" ? 2 : 1;
  for (let index = 0; index < count; index++) takeValue(read, name, kind, values[index]);
  return Math.min(words.length, at + 1 + count - (attached === undefined ? 0 : 1));
}

/** Takes letters that stand together: `-la`, `-n5`. */
function takeCluster(read: Arguments, words: readonly StaticWord[], at: number, letters: string): number {
  for (let index = 0; index < letters.length; index++) {
    const name = `-${letters.charAt(index)}`;
    const kind = flagsOf(read.grammar).get(name);
    if (kind === undefined) return unknownFlag(read, name, at);
    read.flags.add(name);
    if (kind === "flag") continue;
    if (kind === "optional") return at + 1;
    const attached = letters.slice(index + 1);
    takeValue(read, name, kind, attached === "" ? words[at + 1] : plainWord(attached));
    return Math.min(words.length, at + (attached === "" ? 2 : 1));
  }
  return at + 1;
}

function unknownFlag(read: Arguments, name: string, at: number): number {
  read.problems.push(`the option ${name} is not on the list`);
  return at + 1;
}

function takeValue(
  read: Arguments,
  flag: string,
  kind: Exclude<FlagKind, "flag" | "optional">,
  word: StaticWord | undefined,
): void {
  const { problems, places } = read;
  if (word === undefined) return void problems.push(`${flag} has no value`);
  if (word.isPattern || word.hasStatus) return void problems.push(`the value of ${flag} is not fixed`);
  if (typeof kind === "object") return void problems.push(...problemIn(kind.language, word.value));
  if (kind === "number" && !NUMBER.test(word.value)) problems.push(`the value of ${flag} is no number`);
  if (kind === "reads") places.push(...placeOf(read, "read", word, "itself"));
  if (kind === "writes") places.push(...placeOf(read, "write", word, "itself"));
  if (kind === "directory") changeDirectory(read, word);
}

/** Follows a flag such as `-C`. The program asks the kernel, so `..` behind a link is the parent of its target. */
function changeDirectory(read: Arguments, word: StaticWord): void {
  if (word.value === "") return void read.problems.push("the directory has no name");
  read.places.push(...placeOf(read, "read", word, "itself"));
  read.directory = joined(read.directory, word.value);
}
