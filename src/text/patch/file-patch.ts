/** What a patch wants of one file. `line` is where the patch says so, from 1. */
export type FilePatch = AddFile | DeleteFile | UpdateFile;

export interface AddFile {
  readonly kind: "add";
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** Permission bits, when the patch names them. */
  readonly mode?: number;
}

/** With hunks the patch says what the file must hold; without, whatever it holds may go. */
export interface DeleteFile {
  readonly kind: "delete";
  readonly path: string;
  readonly line: number;
  readonly hunks: readonly Hunk[];
}

export interface UpdateFile {
  readonly kind: "update";
  readonly path: string;
  readonly line: number;
  /** Where the file moves. */
  readonly to?: string;
  readonly mode?: number;
  readonly hunks: readonly Hunk[];
}

/** Lines that belong together, and what the patch says about their place. */
export interface Hunk {
  readonly line: number;
  /** Number of the first old line, from 1, as the patch counts; of the line before when it has no old lines. */
  readonly start?: number;
  /** Lines that come before, outermost first: a class, then its method. */
  readonly anchors: readonly string[];
  readonly lines: readonly HunkLine[];
  /** The last line is the last of the file. */
  readonly isAtEnd: boolean;
  /** Found by more than exact lines and fuzz: the patch was written by hand, not made from the file. */
  readonly isLoose: boolean;
}

export interface HunkLine {
  readonly kind: "context" | "remove" | "add";
  readonly text: string;
  /** The patch has a carriage return here. It counts only where a file has it on some lines and not on others. */
  readonly hasReturn: boolean;
  /** The patch says that no line break follows. */
  readonly isOpen: boolean;
}

/** The lines a hunk expects, or those it leaves. */
export const sideOf = ({ lines }: Pick<Hunk, "lines">, side: "old" | "new"): HunkLine[] =>
  lines.filter(({ kind }) => kind !== (side === "old" ? "add" : "remove"));

/** What those lines say. */
export const textsOf = (lines: readonly HunkLine[], side: "old" | "new"): string[] =>
  sideOf({ lines }, side).map(({ text }) => text);
