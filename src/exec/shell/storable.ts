import type { JudgedProgram, UnknownCommand } from "./judgement.ts";
import { shown } from "./reasons.ts";
import { kindOf } from "./tables/kinds.ts";

/** A program with its exact words, as "always" stores it and as it is shown. */
export interface StoredPattern {
  readonly file: string;
  readonly words: readonly string[];
  /** A file whose content decides what runs: the answer holds only while its hash is the same. */
  readonly script: string | undefined;
}

export type Storable =
  | { readonly kind: "storable"; readonly patterns: readonly StoredPattern[] }
  | { readonly kind: "refused"; readonly reason: string };

/** Says what an "always" may store for a command: one pattern for each program that is not known. */
export function storableOf({ isStatic, programs }: UnknownCommand): Storable {
  if (!isStatic) return { kind: "refused", reason: "parts of the command are known only when it runs" };
  const patterns: StoredPattern[] = [];
  for (const program of programs.filter(({ isKnown }) => !isKnown)) {
    const pattern = patternOf(program);
    if (typeof pattern === "string") return { kind: "refused", reason: pattern };
    patterns.push(pattern);
  }
  return { kind: "storable", patterns };
}

/** Returns whether a stored pattern stands for a program with its words: they are exactly the same. */
export const isStored = ({ file, words }: StoredPattern, program: JudgedProgram): boolean =>
  program.file === file && sameWords(words, program.argv.slice(1));

const sameWords = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word, index) => word === other[index]);

/** Returns the pattern of a program, or why there is none. */
function patternOf({ file, argv, isBuiltin }: JudgedProgram): StoredPattern | string {
  const [name = "", ...words] = argv;
  const kind = kindOf(name.slice(name.lastIndexOf("/") + 1));
  if (isBuiltin || file === undefined) return `${shown(name)} is no file`;
  if (kind === "shell" || kind === "wrapper" || kind === "deleter" || kind === "builtin")
    return `${shown(name)} may do anything with other words`;
  const script = kind === "interpreter" ? words[0] : kind === "runner" ? RUNS.get(name) : undefined;
  const needsScript = kind === "interpreter" || kind === "runner";
  if (needsScript && (script === undefined || script.startsWith("-")))
    return `${shown(argv.join(" "))} runs code that is in no file that could be compared`;
  return { file, words, script };
}

/** Maps a runner to the file that says what it runs. */
const RUNS: ReadonlyMap<string, string> = new Map([
  ["npm", "package.json"],
  ["pnpm", "package.json"],
  ["yarn", "package.json"],
  ["make", "Makefile"],
  ["just", "justfile"],
  ["composer", "composer.json"],
  ["rake", "Rakefile"],
]);
