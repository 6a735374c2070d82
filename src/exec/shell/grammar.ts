import type { JudgedPlace } from "./judgement.ts";

/**
 * Says which words a program takes: names of flags by what follows them, and what its operands are. A flag that is not
 * named here makes the command unknown, and so does an abbreviation of a long flag. Lists are separated by spaces.
 */
export interface Grammar {
  /** Flags without a value. */
  readonly flags?: string;
  /** Flags whose value, if they have one, is attached: `--color=auto`, `-U3`. */
  readonly optional?: string;
  /** Flags with a value that is plain text to the program: no path, and nothing that it runs. */
  readonly text?: string;
  /** Flags with two such values. */
  readonly pair?: string;
  readonly number?: string;
  /** Flags whose value is a path that is read, or written. */
  readonly reads?: string;
  readonly writes?: string;
  /** Flags whose value is the directory that all later paths are relative to. */
  readonly directory?: string;
  /** Flags whose value is written in a small language. */
  readonly written?: Readonly<Record<string, Language>>;
  /** Takes `-5` for a number. */
  readonly takesDigits?: true;
  /** Takes words with `$?` in them. */
  readonly takesStatus?: true;
  /** Takes flags of one dash with several letters, and none together: `-ps`. */
  readonly hasLongNames?: true;
  /** No flag of the program can do harm, not even those that are missing here: a pattern may match any name. */
  readonly hasOnlyHarmlessFlags?: true;
  /** Does what is covered only with one of its flags. */
  readonly needsFlag?: true;
  /** Takes all words as text. */
  readonly isText?: true;

  /** Kinds of the first operands, in order. `rest` is for all others, `last` for the last one. */
  readonly first?: readonly Operand[];
  /** With one of these flags there are no first operands. */
  readonly firstUnless?: string;
  readonly rest?: Operand;
  readonly last?: Operand;
  /** Takes operands only with one of these flags. */
  readonly operandsNeed?: string;
  /** The program reads this path where no operand names one: always, or with one of these flags. */
  readonly otherwise?: string;
  readonly otherwiseWith?: string;
  /** The program reads all that is below its operands: always, or with one of these flags. */
  readonly isRecursive?: true;
  readonly recursiveWith?: string;
  /** The program reads contents of the whole repository, whatever its operands say: always, or with a flag. */
  readonly readsAll?: true;
  readonly readsAllWith?: string;

  /** The program also writes these paths. */
  readonly alsoWrites?: string;

  /** Grammars by the first word that is no flag. */
  readonly commands?: Readonly<Record<string, Grammar>>;
  /** Does no harm without a sub-command. */
  readonly mayBeBare?: true;
  /** Runs the words that are left as a command, as `timeout` does. */
  readonly isWrapper?: true;
  /** Words that are put behind the program and its sub-command when it runs. */
  readonly hardening?: readonly string[];
  /** The same for a program that reads all that is below its operands, so that it does not follow links. */
  readonly recursiveHardening?: readonly string[];
  /** May put links at other places, so that later words of the same command could mean other files than judged. */
  readonly movesLinks?: true;
  readonly movesLinksWith?: string;
  /** Says why the program is never admitted, although its places are known. */
  readonly refusal?: string;
}

/** Kinds of operands: text, a path and what happens to it, a revision or path of git, or a word of a language. */
export type Operand = "text" | "number" | "revision" | JudgedPlace["act"] | Language;

/** Small languages that are covered in part; `languages/` says which texts. */
export type Language =
  | "sed script"
  | "awk program"
  | "jq filter"
  | "printf format"
  | "date format"
  | "git format"
  | "git setting"
  | "ps words"
  | "shell option";

/** Kinds of what follows a flag. */
export type FlagKind =
  | "flag"
  | "optional"
  | "text"
  | "pair"
  | "number"
  | "reads"
  | "writes"
  | "directory"
  | { readonly language: Language };

/** Returns what follows each flag of a grammar. Made once for each grammar that is used. */
export function flagsOf(grammar: Grammar): ReadonlyMap<string, FlagKind> {
  const known = compiled.get(grammar);
  if (known) return known;
  const flags = compile(grammar);
  compiled.set(grammar, flags);
  return flags;
}

const compiled = new WeakMap<Grammar, ReadonlyMap<string, FlagKind>>();

function compile(grammar: Grammar): ReadonlyMap<string, FlagKind> {
  const flags = new Map<string, FlagKind>();
  for (const name of list(grammar.flags)) flags.set(name, "flag");
  for (const kind of ["optional", "text", "pair", "number", "reads", "writes", "directory"] as const)
    for (const name of list(grammar[kind])) flags.set(name, kind);
  for (const [name, language] of Object.entries(grammar.written ?? {})) flags.set(name, { language });
  return flags;
}

/** Splits a list of a table. */
export const list = (words: string | undefined): readonly string[] => words?.match(/\S+/g) ?? [];
