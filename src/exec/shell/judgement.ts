/**
 * Says what is known about a command before it runs. "known" means: the grammar covers every part of it, and it does
 * no more than run these programs on these places. Everything else is "unknown", with the parts that stopped it.
 */
export type Judgement = KnownCommand | UnknownCommand;

export interface KnownCommand {
  readonly kind: "known";
  readonly programs: readonly JudgedProgram[];
  readonly places: readonly JudgedPlace[];
}

export interface UnknownCommand {
  readonly kind: "unknown";
  /** Names each part that is not covered, in words for the person who is asked. */
  readonly reasons: readonly string[];
  /** Lists what was recognised all the same: deny rules apply to it. */
  readonly programs: readonly JudgedProgram[];
  readonly places: readonly JudgedPlace[];
}

/** One program of a command. */
export interface JudgedProgram {
  /** The absolute path that its name resolves to; undefined where none was found. */
  readonly file: string | undefined;
  /** Its words as the shell passes them, the name first. */
  readonly argv: readonly string[];
}

/** A path that a program of the command reads or changes, as it is spelled, relative to the directory it runs in. */
export interface JudgedPlace {
  readonly act: "read" | "write" | "create" | "delete" | "move";
  readonly path: string;
}
