/** The changes of a patch to one file. `line` is the line of the patch that starts them, from 1. */
export type FilePatch = AddFile | DeleteFile | UpdateFile;

export interface AddFile {
  readonly kind: "add";
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** Permission bits, when the patch names them. */
  readonly mode?: number;
}

/** A deletion. Its hunks state the content of the file; without hunks any content may be deleted. */
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
  /** The new path of the file. */
  readonly to?: string;
  readonly mode?: number;
  readonly hunks: readonly Hunk[];
}

/** A hunk: lines that belong together, and hints about their place. */
export interface Hunk {
  readonly line: number;
  /** The number of the first old line, from 1, as the patch counts; of the line before if there are no old lines. */
  readonly start?: number;
  /** Lines that precede the hunk, outermost first: a class, then its method. */
  readonly anchors: readonly string[];
  readonly lines: readonly HunkLine[];
  /** Is true if the last line of the hunk is the last line of the file. */
  readonly isAtEnd: boolean;
  /** Is true if the hunk was written by hand and not generated from the file; it may then match more loosely. */
  readonly isLoose: boolean;
}

export interface HunkLine {
  readonly kind: "context" | "remove" | "add";
  readonly text: string;
  /**
   * Is true if the line ends with a carriage return in the patch. It counts only if some lines have one and others do
   * not.
   */
  readonly hasReturn: boolean;
  /** Is true if the patch marks the line as having no line break. */
  readonly isOpen: boolean;
}

/** Returns the lines that a hunk expects, or those that it leaves. */
export const sideOf = ({ lines }: Pick<Hunk, "lines">, side: "old" | "new"): HunkLine[] =>
  lines.filter(({ kind }) => kind !== (side === "old" ? "add" : "remove"));

/** Returns the text of those lines. */
export const textsOf = (lines: readonly HunkLine[], side: "old" | "new"): string[] =>
  sideOf({ lines }, side).map(({ text }) => text);
