import { list, type Grammar, type Operand } from "./grammar.ts";
import type { JudgedPlace } from "./judgement.ts";
import { problemIn } from "./languages/languages.ts";
import { joined } from "./paths.ts";
import { plainWord, type StaticWord } from "./word.ts";

/** Holds what was read of the words of one program. */
export interface Arguments {
  /** The grammar that is in force: that of the program, then that of its sub-command. */
  grammar: Grammar;
  /** The directory of the paths, relative to where the program runs. */
  directory: string;
  /** Says what is not covered; empty where everything is. */
  readonly problems: string[];
  readonly places: JudgedPlace[];
  readonly flags: Set<string>;
  readonly operands: GivenOperand[];
  /** The words for the script: hardened. */
  readonly script: StaticWord[];
  /** The command that a wrapper runs. */
  wrapped: readonly StaticWord[];
  areFlagsOver: boolean;
}

interface GivenOperand {
  readonly word: StaticWord;
  readonly isBehindDashes: boolean;
}

/** Matches numbers with a unit: `5`, `+5`, `1.5s`, `10M`, `50%`. */
export const NUMBER = /^[+-]?\d+(?:\.\d+)?[A-Za-z%]{0,3}$/;

/** Decides what each operand is, now that all flags are seen. */
export function readOperands(read: Arguments): void {
  const { grammar, operands, problems } = read;
  const first = has(read, grammar.firstUnless) ? [] : (grammar.first ?? []);
  if (grammar.operandsNeed !== undefined && operands.length > 0 && !has(read, grammar.operandsNeed))
    problems.push("it takes operands only with an option that lists");
  operands.forEach(({ word, isBehindDashes }, index) => {
    const isLast = grammar.last !== undefined && index === operands.length - 1;
    const kind = first[index] ?? (isLast ? grammar.last : grammar.rest);
    if (kind === undefined) problems.push(`${word.value} is one operand too many`);
    else if (word.isPattern && (index < first.length || isLast || !isPath(kind)))
      problems.push(`${word.value} is a pattern where a fixed word is needed`);
    else readOperand(read, kind, word, isBehindDashes);
  });
  if (grammar.last !== undefined) addTargets(read);
  addImplied(read, operands.length > first.length);
}

/** Adds the places that a program uses although no operand names them. */
function addImplied(read: Arguments, namesPaths: boolean): void {
  const { grammar, places } = read;
  const isImplied = grammar.otherwiseWith === undefined || has(read, grammar.otherwiseWith);
  if (grammar.otherwise !== undefined && !namesPaths && isImplied)
    places.push(...placeOf(read, "read", plainWord(grammar.otherwise)));
  if (grammar.readsAll || has(read, grammar.readsAllWith))
    places.push({ act: "read", path: joined(read.directory, "."), reach: "repository" });
  for (const path of list(grammar.alsoWrites))
    places.push({ act: "write", path: joined(read.directory, path), reach: "itself" });
}

export const has = ({ flags }: Arguments, names: string | undefined): boolean =>
  list(names).some((name) => flags.has(name));

function readOperand(read: Arguments, kind: Operand, word: StaticWord, isBehindDashes: boolean): void {
  if (kind === "text") return;
  if (kind === "number") {
    if (!NUMBER.test(word.value)) read.problems.push(`${word.value} is no number`);
  } else if (kind === "revision") readRevision(read, word.value, isBehindDashes);
  else if (isPath(kind)) read.places.push(...placeOf(read, kind, word));
  else read.problems.push(...problemIn(kind, word.value));
}

const ACTS: ReadonlySet<string> = new Set(["read", "write", "create", "delete", "move"]);

const isPath = (kind: Operand): kind is JudgedPlace["act"] => ACTS.has(kind);

/** Returns the place that a word names; a dash is the standard input. */
export function placeOf(
  read: Arguments,
  act: JudgedPlace["act"],
  { value, isPattern }: StaticWord,
  reach: "itself" | "below" = extentOf(read),
): JudgedPlace[] {
  if (act === "read" && value === "-") return [];
  const path = joined(read.directory, value === "" ? "." : value);
  if (isPattern) return [{ act, path, reach: reach === "below" ? "below matches" : "matches" }];
  return [{ act, path, reach }];
}

function extentOf(read: Arguments): "itself" | "below" {
  return read.grammar.isRecursive === true || has(read, read.grammar.recursiveWith) ? "below" : "itself";
}

/** Reads a revision of git, `revision:path` or a path. It may always be a path, so it is a place, also if none exists. */
function readRevision({ places, problems, directory }: Arguments, value: string, isBehindDashes: boolean): void {
  if (value.startsWith(":")) return void problems.push(`${value} is a form of path that is not on the list`);
  const path = isBehindDashes ? value : value.slice(value.indexOf(":") + 1);
  if (path !== "") places.push({ act: "read", path: joined(directory, path), reach: "below" });
}

/** Adds the names that copies get when the target is a directory. */
function addTargets(read: Arguments): void {
  const target = read.operands.at(-1)?.word.value ?? "";
  const sources = read.operands.slice(0, -1);
  if (sources.length === 0) read.problems.push("it has no target");
  for (const { word } of sources) {
    const name = word.value.split("/").findLast((part) => part !== "" && part !== ".") ?? "";
    if (name === "..") read.problems.push(`${word.value} has no name of its own`);
    const path = joined(read.directory, `${target.replace(/\/+$/, "")}/${name}`);
    read.places.push({ act: "create", path, reach: word.isPattern ? "matches" : extentOf(read) });
  }
}
