import type { Hunk, HunkLine } from "./file-patch.ts";
import type { PatchLine } from "./patch-lines.ts";

/** A hunk that is being parsed. */
export interface HunkDraft {
  readonly line: number;
  readonly start: number | undefined;
  readonly anchors: string[];
  readonly lines: HunkLine[];
  /** Is true if no counts say where the hunk ends. */
  readonly isLoose: boolean;
  /** The number of empty lines at the end that lack even a space and may be mere spacing. */
  trailingBlanks: number;
  isAtEnd: boolean;
}

/** The text after "@@": line numbers as in a diff, a line to search for, or nothing. */
export interface HunkHeader {
  readonly start?: number;
  readonly oldCount?: number;
  readonly newCount?: number;
  readonly anchors: string[];
}

const RANGES = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Parses a hunk header. The text that git puts after the numbers is cut and may be far away, so it is not an anchor.
 */
export function headerOf({ text }: PatchLine): HunkHeader {
  const [all, start, oldCount = "1", , newCount = "1"] = RANGES.exec(text) ?? [];
  if (all !== undefined) {
    return { start: Number(start), oldCount: Number(oldCount), newCount: Number(newCount), anchors: [] };
  }
  const anchor = withoutClosingMark(text.slice(text.startsWith("@@ ") ? 3 : 2));
  return { anchors: anchor.trim() === "" || anchor.trim() === "..." ? [] : [anchor] };
}

/** Drops a closing "@@" of a header. */
function withoutClosingMark(text: string): string {
  const end = text.trimEnd();
  return end.endsWith("@@") ? end.slice(0, -2).trimEnd() : text;
}

/** Starts a draft at the line of its header, or at its first line if it has none. */
export function createHunkDraft(line: PatchLine, header: HunkHeader = { anchors: [] }): HunkDraft {
  const { start, anchors, oldCount } = header;
  const isLoose = oldCount === undefined;
  return { line: line.number, start, anchors, lines: [], isLoose, trailingBlanks: 0, isAtEnd: false };
}

/** Adds a line to the hunk. Returns false if it cannot be part of one. */
export function addToDraft(draft: HunkDraft, line: PatchLine): boolean {
  if (isOpenMark(line)) {
    const last = draft.lines.pop();
    if (last) draft.lines.push(openLine(last));
    return last !== undefined;
  }
  const kind = lineKindOf(line);
  if (kind === undefined) return false;
  draft.lines.push({ kind, text: line.text.slice(1), hasReturn: line.hasReturn, isOpen: false });
  draft.trailingBlanks = line.text === "" ? draft.trailingBlanks + 1 : 0;
  return true;
}

/** Marks a line as the last without a line feed; then a carriage return is a character of the line. */
const openLine = ({ kind, text, hasReturn }: HunkLine): HunkLine => ({
  kind,
  text: hasReturn ? `${text}\r` : text,
  hasReturn: false,
  isOpen: true,
});

/** Finishes the hunk, without trailing spacing if no counts say that it belongs to it. */
export function hunkOf(draft: HunkDraft): Hunk {
  const { line, start, anchors, isAtEnd, isLoose } = draft;
  const lines = isLoose ? draft.lines.slice(0, draft.lines.length - draft.trailingBlanks) : draft.lines;
  return { line, ...(start !== undefined && { start }), anchors, lines, isAtEnd, isLoose };
}

/** Joins the lines to the text of a file. */
export const textOfLines = (lines: readonly HunkLine[]): string =>
  lines.map(({ text, hasReturn, isOpen }) => text + (isOpen ? "" : hasReturn ? "\r\n" : "\n")).join("");

/** Returns true if any of the hunks adds or removes a line. */
export const isChange = (hunks: readonly Hunk[]): boolean =>
  hunks.some(({ lines }) => lines.some(({ kind }) => kind !== "context"));

/** Recognises "\ No newline at end of file" in any language. */
export const isOpenMark = (line: PatchLine | undefined): boolean => line?.text.startsWith("\\") ?? false;

const KINDS: ReadonlyMap<string, HunkLine["kind"]> = new Map([
  ["", "context"],
  [" ", "context"],
  ["-", "remove"],
  ["+", "add"],
]);

export const lineKindOf = ({ text }: PatchLine): HunkLine["kind"] | undefined => KINDS.get(text.charAt(0));
