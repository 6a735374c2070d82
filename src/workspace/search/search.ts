import type { SafePath } from "../../storage/storage.ts";
import type { Glob } from "../../text/glob/glob.ts";
import type { Pattern, PatternOptions } from "../../text/search/pattern.ts";
import type { UncuttableRanges } from "../../text/cut-points.ts";

/** Selects the files below the start of a search. */
export interface SearchScope {
  /** Select files that match one of them or lie in a directory that one names; an empty list selects all files. */
  readonly globs: readonly Glob[];
  /** Are patterns as in a .gitignore of the directory where the search begins. */
  readonly exclude: readonly string[];
  readonly includeIgnored: boolean;
  readonly includeHidden: boolean;
}

export interface Query extends SearchScope {
  readonly patternOptions: PatternOptions;
  readonly pattern: Pattern;
  /** Is true if the pattern contains a secret that no other program may see. */
  readonly isConfidential: boolean;
  /** Is true if a match may span lines. */
  readonly isMultiline: boolean;
  /** Is true if files must come in the order of their paths, which takes longer. */
  readonly isInOrder: boolean;
  /** Is true if one match per file is enough. */
  readonly onlyFirst: boolean;
  /** Limits the length of `text` in a hit; 0 asks for the number of matches only. */
  readonly lineChars: number;
  /** Finds the ranges of a long line that must not be cut apart. */
  readonly uncuttableRanges?: UncuttableRanges;
  /** Limits the time for the search of a directory. */
  readonly ms: number;
}

/** A line with a match; in a search across lines, a match. */
export interface Hit {
  readonly line: number;
  /** Counts characters from 1. */
  readonly column: number;
  /** The offset of the line in the file. */
  readonly byte: number;
  /** The line, cut around its first match if it is long. */
  readonly text: string;
  /** Delimits the match in `text`, together with `end`. */
  readonly start: number;
  readonly end: number;
}

/** Holds matches of one file. A file with many matches is reported in several consecutive parts. */
export interface FileHits {
  readonly place: SafePath;
  readonly modifiedMs: number;
  readonly count: number;
  /** Is true if the file is not text; its lines are not shown then. */
  readonly isBinary: boolean;
  /** Is true if the lines are those of the text of a document, not of the file. */
  readonly isDocument?: boolean;
  readonly hits: readonly Hit[];
}

/** Names a file that could not be searched as requested, or a directory that was not searched to the end. */
export interface Unsearched {
  readonly place: SafePath;
  readonly unsearched: string;
}

/** The start of a search: a single file, or a directory with everything below it. */
export interface SearchStart {
  readonly place: SafePath;
  readonly kind: "file" | "directory";
}

/** Receives results. Returns false to end the search. */
export type ReportHits = (found: FileHits | Unsearched) => boolean;
