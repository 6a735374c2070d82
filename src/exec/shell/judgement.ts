/**
 * Says what is known about a command before it runs. "known" means: the grammar covers every part of it, and it does
 * no more than run these programs on these places. Everything else is "unknown", with the parts that stopped it.
 */
export type Judgement = KnownCommand | UnknownCommand;

export interface KnownCommand {
  readonly kind: "known";
  /**
   * The command as it was understood: programs by absolute path, words quoted, git hardened. Run this instead of the
   * text, so that no shell can read the command differently from the judge.
   */
  readonly script: string;
  readonly programs: readonly JudgedProgram[];
  readonly places: readonly JudgedPlace[];
}

export interface UnknownCommand {
  readonly kind: "unknown";
  /** Names each part that is not covered, in words for the person who is asked. */
  readonly reasons: readonly string[];
  /** Says that the syntax is covered, so that only programs with `isKnown: false` and their words are in question. */
  readonly isStatic: boolean;
  /** Lists what was recognised all the same: deny rules apply to it. */
  readonly programs: readonly JudgedProgram[];
  readonly places: readonly JudgedPlace[];
}

/** One program of a command. */
export interface JudgedProgram {
  /** The absolute path that its name resolves to; undefined for a builtin of the shell, and where none was found. */
  readonly file: string | undefined;
  readonly isBuiltin: boolean;
  /** Says that the grammar covers it with these words. */
  readonly isKnown: boolean;
  /** Its words as the shell passes them, the name first. A shell pattern stays a pattern. */
  readonly argv: readonly string[];
}

/** A path that a program of the command reads or changes. It is relative to the directory the command starts in. */
export interface JudgedPlace {
  readonly act: "read" | "write" | "create" | "delete" | "move";
  /** The path as it is spelled, after `cd`. It may hold `..` behind a link: resolve it one component at a time. */
  readonly path: string;
  /**
   * "below": all that is in this directory as well. "repository": all that is in the repository around it. "matches": a
   * shell pattern, and whatever it matches is meant; "below matches": with all that is in it.
   */
  readonly reach: "itself" | "below" | "repository" | "matches" | "below matches";
}

/** A judgement depends on these besides the text. */
export interface JudgeContext {
  readonly programs: Programs;
  /** The value of HOME in the environment of the command. */
  readonly home: string;
  /** Names of the configured safe bins. */
  readonly safeBins: readonly string[];
}

/** Looks up the programs that the command would run. */
export interface Programs {
  /** Finds a name, or a path with a slash, as the shell would. */
  find(name: string): FoundProgram;
}

export interface FoundProgram {
  readonly file: string | undefined;
  /** Says that the agent can change neither the file nor what the name resolves to. */
  readonly isSafe: boolean;
}
