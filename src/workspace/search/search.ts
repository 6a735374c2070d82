import type { SafePath } from "../../storage/storage.ts";
import type { Glob } from "../../text/glob/glob.ts";
import type { Pattern, PatternOptions } from "../../text/search/pattern.ts";
import type { UncuttableRanges } from "../../text/cut-points.ts";

/** Which files are looked into, below where the search begins. */
export interface SearchScope {
  /** A file must fit one of them, or be in a directory that one names; none: any file. */
  readonly globs: readonly Glob[];
  /** Patterns as in a .gitignore of the directory where the search begins. */
  readonly exclude: readonly string[];
  readonly includeIgnored: boolean;
  readonly includeHidden: boolean;
}

export interface Query extends SearchScope {
  readonly patternOptions: PatternOptions;
  readonly pattern: Pattern;
  /** The pattern holds what no other program may be told. */
  readonly isConfidential: boolean;
  /** A match may span lines. */
  readonly isMultiline: boolean;
  /** Files come in the order of their paths, which takes longer. */
  readonly isInOrder: boolean;
  /** One match in a file is enough. */
  readonly onlyFirst: boolean;
  /** How long a line `text` may be; 0 when only the number of matches is wanted. */
  readonly lineChars: number;
  /** Finds what must not be cut apart where a line is too long; nothing when absent. */
  readonly uncut?: UncuttableRanges;
  /** How long it may take to go through a directory. */
  readonly ms: number;
}

/** A line that holds a match; in a search across lines, a match. */
export interface Hit {
  readonly line: number;
  /** In characters from 1. */
  readonly column: number;
  /** Where the line starts in the file. */
  readonly byte: number;
  /** The line, cut around its first match. */
  readonly text: string;
  /** Where the match is in `text`. */
  readonly start: number;
  readonly end: number;
}

/** Matches in one file. A file with many comes in several parts, one after the other. */
export interface FileHits {
  readonly place: SafePath;
  readonly modifiedMs: number;
  readonly count: number;
  /** Not text: its lines are not shown. */
  readonly isBinary: boolean;
  readonly hits: readonly Hit[];
}

/** A file that could not be searched as asked, or a directory that was not searched to the end. */
export interface Unsearched {
  readonly place: SafePath;
  readonly unsearched: string;
}

/** Where a search begins: a file alone, or all below a directory. */
export interface SearchStart {
  readonly place: SafePath;
  readonly kind: "file" | "directory";
}

/** Takes what was found, and says whether to go on. */
export type ReportHits = (found: FileHits | Unsearched) => boolean;
