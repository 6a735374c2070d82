import { nextLine } from "./line-changes.ts";
import { type DiffLine, withWordMarks } from "./word-marks.ts";

/** Lines of a diff that belong together. The numbers are those of its first line, on each side. */
export interface DiffHunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly DiffLine[];
}

/** A part of a diff. */
export interface DiffPage {
  readonly hunks: readonly DiffHunk[];
  /** Counts the lines in it. */
  readonly lines: number;
  /** The number of the first line that is left out; absent at the end. */
  readonly next?: number;
}

export interface PageOptions {
  /** Counts the lines of the diff that come before the page. */
  readonly from?: number;
  readonly mostLines: number;
  readonly mostChars: number;
}

/** Reads a page of the diff of one file. It stops there: the rest of a long diff costs nothing. */
export function hunksIn(diff: string, { from = 0, mostLines, mostChars }: PageOptions): DiffPage {
  const hunks: OpenHunk[] = [];
  let [seen, taken] = [0, 0];
  let numbers = { old: 0, new: 0 };
  let hunk: OpenHunk | undefined;
  for (const line of bodyOf(diff)) {
    const start = startOf(line);
    if (start) {
      numbers = start;
      hunk = undefined;
      continue;
    }
    const sign = signOf(line);
    if (sign === undefined) continue;
    if (taken === mostLines) return { hunks: hunks.map(markedHunk), lines: taken, next: seen };
    if (seen++ >= from) {
      if (!hunk) hunks.push((hunk = { oldStart: numbers.old, newStart: numbers.new, lines: [] }));
      hunk.lines.push({ sign, text: shortened(line.slice(1), mostChars) });
      taken++;
    }
    if (sign !== "+") numbers.old++;
    if (sign !== "-") numbers.new++;
  }
  return { hunks: hunks.map(markedHunk), lines: taken };
}

interface OpenHunk extends DiffHunk {
  readonly lines: DiffLine[];
}

const markedHunk = ({ lines, ...hunk }: OpenHunk): DiffHunk => ({ ...hunk, lines: withWordMarks(lines) });

/** Yields the lines of the hunks with their headings, and leaves out the names of the files before them. */
function* bodyOf(diff: string): Generator<string> {
  let at = diff.startsWith("@@ ") ? 0 : diff.indexOf("\n@@ ") + 1;
  if (at === 0 && !diff.startsWith("@@ ")) return;
  while (at < diff.length) {
    const next = nextLine(diff, at);
    yield diff.slice(at, diff[next - 1] === "\n" ? next - 1 : next);
    at = next;
  }
}

/** Returns the numbers of the first lines of a hunk. An empty range names the line before it. */
function startOf(line: string): { old: number; new: number } | undefined {
  const [, old, oldLines = "1", fresh, newLines = "1"] = HEADING.exec(line) ?? [];
  if (old === undefined) return undefined;
  return { old: Number(old) + (oldLines === "0" ? 1 : 0), new: Number(fresh) + (newLines === "0" ? 1 : 0) };
}

const HEADING = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Returns undefined for a note, such as that the last line has no line feed. */
function signOf(line: string): DiffLine["sign"] | undefined {
  const sign = line[0];
  return sign === " " || sign === "+" || sign === "-" ? sign : undefined;
}

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)} [Cut: ${text.length - most} more characters]`;
