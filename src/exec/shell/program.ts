import { readArguments } from "./arguments.ts";
import type { Grammar } from "./grammar.ts";
import { has, type Arguments } from "./operands.ts";
import type { FoundProgram, JudgedPlace } from "./judgement.ts";
import { addPlaces, type Judging } from "./judging.ts";
import { readFind } from "./languages/find.ts";
import { readTest } from "./languages/test.ts";
import { afterCd } from "./paths.ts";
import { shown } from "./reasons.ts";
import { kindOf, SAYS } from "./tables/kinds.ts";
import { grammarOfBuiltin, grammarOfProgram } from "./tables/tables.ts";
import { plainWord, type StaticWord } from "./word.ts";

/** The words of a program, and how deep it is in programs that run others. */
interface Call {
  readonly name: StaticWord;
  readonly words: readonly StaticWord[];
  readonly depth: number;
}

/** The places of a call, and what is not covered. */
interface Reading {
  readonly places: readonly JudgedPlace[];
  readonly problems: readonly string[];
  readonly script: readonly string[];
  readonly movesLinks?: boolean;
}

/** Judges a program with its words. Returns its script. */
export function judgeProgram(judging: Judging, [name, ...words]: readonly [StaticWord, ...StaticWord[]]): string {
  return judgeCall(judging, { name, words, depth: 0 }).join(" ");
}

function judgeCall(judging: Judging, call: Call): readonly string[] {
  const { name, words, depth } = call;
  if (!NAME.test(name.value) || name.isPattern)
    return unknownCall(judging, call, undefined, "its name is no plain name");
  if (depth === 0 && name.value === "cd") return judgeCd(judging, words);
  if (depth === 0 && (name.value === "test" || name.value === "[")) return record(judging, call, undefined, test(call));
  const builtin = depth === 0 ? grammarOfBuiltin(name.value) : undefined;
  if (builtin) return judgeBuiltin(judging, call, builtin);
  return judgeFile(judging, call, judging.context.programs.find(name.value));
}

const NAME = /^[\w./+[:-]+$/;

function judgeBuiltin(judging: Judging, call: Call, grammar: Grammar): readonly string[] {
  const read = readArguments(grammar, call.words);
  if (grammar.needsFlag && read.problems.length > 0) return unknownProgram(judging, call, undefined, name(call));
  return record(judging, call, undefined, plain(read));
}

/** Judges a program that is a file. */
function judgeFile(judging: Judging, call: Call, found: FoundProgram): readonly string[] {
  const { name, words, depth } = call;
  const base = name.value.slice(name.value.lastIndexOf("/") + 1);
  if (!found.isSafe) return unknownCall(judging, call, found, "the agent can change the file that would run");
  if (base === "find") return record(judging, call, found, find(words));
  const grammar = grammarOfProgram(base);
  if (grammar === undefined) return judgeSafeBin(judging, call, found, base);
  const read = readArguments(grammar, words);
  if (grammar.needsFlag && read.problems.length > 0) return unknownProgram(judging, call, found, base);
  const script = record(judging, call, found, plain(read));
  const [inner, ...innerWords] = read.wrapped;
  if (inner === undefined) return script;
  if (depth < MAX_WRAPPERS)
    return [...script, ...judgeCall(judging, { name: inner, words: innerWords, depth: depth + 1 })];
  return unknownCall(judging, call, found, "it runs a program through too many others");
}

const MAX_WRAPPERS = 4;

const plain = ({ places, problems, script, grammar, ...read }: Arguments): Reading => ({
  places,
  problems,
  script: script.map((word) => word.script),
  movesLinks: movesLinks(grammar, { places, problems, script, grammar, ...read }),
});

const movesLinks = (grammar: Grammar, read: Arguments): boolean =>
  grammar.movesLinks === true || has(read, grammar.movesLinksWith);

/** Admits a configured safe bin that has no grammar: with plain words that name no path. */
function judgeSafeBin(judging: Judging, call: Call, found: FoundProgram, base: string): readonly string[] {
  const isSafeBin =
    judging.context.safeBins.includes(name(call)) && kindOf(base) === undefined && found.file !== undefined;
  const areWordsPlain = call.words.every(
    ({ value, isPattern, hasStatus }) => PLAIN.test(value) && !isPattern && !hasStatus,
  );
  if (!isSafeBin) return unknownProgram(judging, call, found, base);
  if (!areWordsPlain) return unknownCall(judging, call, found, "a safe bin takes only plain words that are no paths");
  return record(judging, call, found, { places: [], problems: [], script: call.words.map(({ script }) => script) });
}

function unknownProgram(
  judging: Judging,
  call: Call,
  found: FoundProgram | undefined,
  base: string,
): readonly string[] {
  const kind = kindOf(base);
  judging.programProblems.add(
    `${shownCall(call)} ${kind === undefined ? "runs a program that the list does not know" : SAYS[kind]}`,
  );
  addProgram(judging, call, found, false);
  if (kind === "wrapper") addWrapped(judging, call);
  return [":"];
}

/** Lists the program that a wrapper seems to run, because deny rules apply to it: the first word that can be one. */
function addWrapped(judging: Judging, { words, depth }: Call): void {
  const at = words.findIndex(({ value }) => /^[A-Za-z./][^=]*$/.test(value));
  const inner = words[at];
  if (inner === undefined) return;
  const found = judging.context.programs.find(inner.value);
  addProgram(judging, { name: inner, words: words.slice(at + 1), depth }, found, false);
}

/** Matches words that are no flags and look like no path. */
const PLAIN = /^[A-Za-z0-9_][A-Za-z0-9_:,+@%=-]*$/;

const name = (call: Call): string => call.name.value;

const shownCall = (call: Call): string => shown([call.name, ...call.words].map(({ value }) => value).join(" "));

/** Notes a call that is not covered. */
function unknownCall(
  judging: Judging,
  call: Call,
  found: FoundProgram | undefined,
  problem: string,
): readonly string[] {
  judging.programProblems.add(`${shownCall(call)}: ${problem}`);
  addProgram(judging, call, found, false);
  return [":"];
}

/** Notes a call whose words were read, and returns its script. */
function record(judging: Judging, call: Call, found: FoundProgram | undefined, read: Reading): readonly string[] {
  const { places, problems, script } = read;
  if (problems.length > 0) judging.programProblems.add(`${shownCall(call)}: ${problems.join("; ")}`);
  addProgram(judging, call, found, problems.length === 0);
  addPlaces(judging, places);
  if (places.length > 0) judging.users += 1;
  judging.movesLinks ||= read.movesLinks ?? false;
  return [plainWord(found?.file ?? name(call)).script, ...script];
}

function addProgram(judging: Judging, call: Call, found: FoundProgram | undefined, isKnown: boolean): void {
  judging.programs.push({
    file: found?.file,
    isBuiltin: found === undefined,
    isKnown,
    argv: [call.name, ...call.words].map(({ value }) => value),
  });
}

/** Judges `cd`: behind it, paths are relative to another directory. */
function judgeCd(judging: Judging, words: readonly StaticWord[]): readonly string[] {
  const operands = words[0]?.value === "--" ? words.slice(1) : words;
  const target = operands[0] ?? plainWord(judging.context.home);
  const next = judging.directories.map((directory) => afterCd(directory, target.value));
  const isFixed = operands.length <= 1 && !target.isPattern && !target.hasStatus && !/^[-+]/.test(target.value);
  const directories = next.filter((directory) => directory !== undefined);
  const problems =
    isFixed && directories.length === next.length ? [] : ["the directory cannot be known before it runs"];
  // Without these beginnings, bash would search CDPATH.
  const path = /^\.{0,2}(?:\/|$)/.test(target.value) ? target.value : `./${target.value}`;
  const call = { name: plainWord("cd"), words, depth: 0 };
  const users = judging.users;
  const places: JudgedPlace[] = [{ act: "read", path: target.value === "" ? "." : target.value, reach: "itself" }];
  const script = record(judging, call, undefined, { places, problems, script: ["--", plainWord(path).script] });
  judging.users = users;
  if (problems.length === 0) judging.directories = directories;
  return script;
}

function test({ name: { value }, words }: Call): Reading {
  const isClosed = value === "test" || words.at(-1)?.value === "]";
  const tested = value === "test" ? words : words.slice(0, -1);
  const { reads, isCovered } = readTest(tested.map((word) => word.value));
  const isFixed = isClosed && isCovered && words.every(({ isPattern }) => !isPattern);
  return {
    places: reads.map((path) => ({ act: "read", path, reach: "itself" })),
    problems: isFixed ? [] : ["the test is not of a form on the list"],
    script: words.map(({ script }) => script),
  };
}

function find(words: readonly StaticWord[]): Reading {
  const { starts, reads, problems } = readFind(words);
  return {
    places: [
      ...starts.map((path) => ({ act: "read", path, reach: "below" }) as const),
      ...reads.map((path) => ({ act: "read", path, reach: "itself" }) as const),
    ],
    problems,
    script: words.map(({ script }) => script),
  };
}
