import type { Hunk, HunkLine } from "./file-patch.ts";
import type { PatchLine } from "./lines.ts";

/** A hunk while it is read. */
export interface HunkDraft {
  readonly line: number;
  readonly start: number | undefined;
  readonly anchors: string[];
  readonly lines: HunkLine[];
  /** It has no counts that say where it ends. */
  readonly isLoose: boolean;
  /** How many empty lines it ends with that have not even a space: they may be mere spacing. */
  bare: number;
  isAtEnd: boolean;
}

/** What stands behind "@@": line numbers as in a diff, a line to look for, or nothing. */
export interface HunkHeader {
  readonly start?: number;
  readonly oldCount?: number;
  readonly newCount?: number;
  readonly anchors: string[];
}

const RANGES = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** What git shows behind the numbers is cut and may be far away: it is no anchor. */
export function headerOf({ text }: PatchLine): HunkHeader {
  const [all, start, oldCount = "1", , newCount = "1"] = RANGES.exec(text) ?? [];
  if (all !== undefined) {
    return { start: Number(start), oldCount: Number(oldCount), newCount: Number(newCount), anchors: [] };
  }
  const anchor = withoutClosing(text.slice(text.startsWith("@@ ") ? 3 : 2));
  return { anchors: anchor.trim() === "" || anchor.trim() === "..." ? [] : [anchor] };
}

/** Drops the "@@" that may stand at the end of a header as well. */
function withoutClosing(text: string): string {
  const end = text.trimEnd();
  return end.endsWith("@@") ? end.slice(0, -2).trimEnd() : text;
}

/** Begins at the line of its header, or at its first line when it has none. */
export function createHunkDraft(line: PatchLine, header: HunkHeader = { anchors: [] }): HunkDraft {
  const { start, anchors, oldCount } = header;
  const isLoose = oldCount === undefined;
  return { line: line.number, start, anchors, lines: [], isLoose, bare: 0, isAtEnd: false };
}

/** Takes a line into the hunk; false when it cannot be part of one. */
export function addToDraft(draft: HunkDraft, line: PatchLine): boolean {
  if (isOpenMark(line)) {
    const last = draft.lines.pop();
    if (last) draft.lines.push(openLine(last));
    return last !== undefined;
  }
  const kind = lineKindOf(line);
  if (kind === undefined) return false;
  draft.lines.push({ kind, text: line.text.slice(1), hasReturn: line.hasReturn, isOpen: false });
  draft.bare = line.text === "" ? draft.bare + 1 : 0;
  return true;
}

/** Without a line feed behind it a carriage return is a character of the line. */
const openLine = ({ kind, text, hasReturn }: HunkLine): HunkLine => ({
  kind,
  text: hasReturn ? `${text}\r` : text,
  hasReturn: false,
  isOpen: true,
});

/** The hunk, without spacing at its end when nothing says that it belongs to it. */
export function hunkOf(draft: HunkDraft): Hunk {
  const { line, start, anchors, isAtEnd, isLoose } = draft;
  const lines = isLoose ? draft.lines.slice(0, draft.lines.length - draft.bare) : draft.lines;
  return { line, ...(start !== undefined && { start }), anchors, lines, isAtEnd, isLoose };
}

/** The text of a file that is made of these lines. */
export const textOfLines = (lines: readonly HunkLine[]): string =>
  lines.map(({ text, hasReturn, isOpen }) => text + (isOpen ? "" : hasReturn ? "\r\n" : "\n")).join("");

/** Whether any of the hunks adds or removes a line. */
export const isChange = (hunks: readonly Hunk[]): boolean =>
  hunks.some(({ lines }) => lines.some(({ kind }) => kind !== "context"));

/** "\ No newline at end of file", in any language. */
export const isOpenMark = (line: PatchLine | undefined): boolean => line?.text.startsWith("\\") ?? false;

const KINDS: ReadonlyMap<string, HunkLine["kind"]> = new Map([
  ["", "context"],
  [" ", "context"],
  ["-", "remove"],
  ["+", "add"],
]);

export const lineKindOf = ({ text }: PatchLine): HunkLine["kind"] | undefined => KINDS.get(text.charAt(0));
