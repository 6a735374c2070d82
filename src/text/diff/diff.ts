import { Buffer } from "node:buffer";
import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import { type LineChange, countLinesInSteps, lineChanges, nextLine, previousLine } from "./line-changes.ts";
import { quoted, visible } from "../quote.ts";
import { LINES_PER_STEP } from "../text-lines.ts";

export interface DiffOptions {
  readonly path: string;
  /** The path before the change, if the file was moved. */
  readonly fromPath?: string;
  readonly kind?: "change" | "create" | "delete";
  readonly contextLines?: number;
  /** The number of lines before both texts, for line numbers. */
  readonly linesBefore?: number;
  /** Limits for all hunks together. `Infinity` yields a complete patch. */
  readonly mostLines?: number;
  readonly mostBytes?: number;
}

export interface LineStats {
  readonly added: number;
  readonly removed: number;
}

export interface UnifiedDiff extends LineStats {
  readonly text: string;
  readonly truncated: boolean;
}

/**
 * Creates a diff that `git apply` and `patch` accept unless it is truncated. The counts are always exact. The diff is
 * empty if nothing changed.
 */
export function* unifiedDiff(before: string, after: string, options: DiffOptions): SlicedWork<UnifiedDiff> {
  return yield* diffOf(before, after, yield* lineChanges(before, after), options);
}

/** Creates a diff from known line changes. */
export function* diffOf(
  before: string,
  after: string,
  found: readonly (LineChange | CountedChange)[],
  options: DiffOptions,
): SlicedWork<UnifiedDiff> {
  const { contextLines = 3, mostLines = LIMITS.diffLines, mostBytes = LIMITS.diffBytes } = options;
  const changes: CountedChange[] = [];
  for (const change of found) changes.push("added" in change ? change : yield* withCounts(before, after, change));
  const hunks = yield* hunksOf(before, changes, contextLines, options.linesBefore ?? 0);
  const { text, truncated } = yield* renderHunks({ before, after, hunks }, mostLines, mostBytes);
  return { text: headerOf(options, hunks.length > 0) + text, ...statsOf(changes), truncated };
}

/** A change with its line counts. */
export interface CountedChange extends LineChange, LineStats {}

function* withCounts(
  before: string,
  after: string,
  { from, to, afterFrom, afterTo }: LineChange,
): SlicedWork<CountedChange> {
  const added = yield* countLinesInSteps(after, afterFrom, afterTo);
  return { from, to, afterFrom, afterTo, added, removed: yield* countLinesInSteps(before, from, to) };
}

function statsOf(changes: readonly LineStats[]): LineStats {
  let [added, removed] = [0, 0];
  for (const change of changes) {
    added += change.added;
    removed += change.removed;
  }
  return { added, removed };
}

/** Changes with their context. `from` and `to` are offsets in the old text; `line` and `afterLine` count from 0. */
interface Hunk extends LineStats {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly afterLine: number;
  readonly lines: number;
  readonly changes: readonly CountedChange[];
}

function* hunksOf(
  before: string,
  changes: readonly CountedChange[],
  contextLines: number,
  linesBefore: number,
): SlicedWork<readonly Hunk[]> {
  const hunks: Hunk[] = [];
  let [at, line, growth] = [0, linesBefore, 0];
  for (const group of groupNearby(before, changes, 2 * contextLines)) {
    const from = skipLines(before, group[0]?.from ?? 0, contextLines, previousLine);
    const to = skipLines(before, group.at(-1)?.to ?? 0, contextLines, nextLine);
    const { added, removed } = statsOf(group);
    line += yield* countLinesInSteps(before, at, from);
    const lines = yield* countLinesInSteps(before, from, to);
    hunks.push({ from, to, line, afterLine: line + growth, lines, added, removed, changes: group });
    growth += added - removed;
    at = from;
  }
  return hunks;
}

/** Groups changes with at most `gap` lines between two of them. */
function groupNearby(before: string, changes: readonly CountedChange[], gap: number): CountedChange[][] {
  const groups: CountedChange[][] = [];
  let groupEnd = -1;
  for (const change of changes) {
    if (change.from > groupEnd) groups.push([]);
    groups.at(-1)?.push(change);
    groupEnd = skipLines(before, change.to, gap, nextLine);
  }
  return groups;
}

function skipLines(text: string, at: number, lines: number, step: (text: string, at: number) => number): number {
  for (let count = 0; count < lines && at !== step(text, at); count += 1) at = step(text, at);
  return at;
}

interface HunkSource {
  readonly before: string;
  readonly after: string;
  readonly hunks: readonly Hunk[];
}

function* renderHunks(
  { before, after, hunks }: HunkSource,
  mostLines: number,
  mostBytes: number,
): SlicedWork<Pick<UnifiedDiff, "text" | "truncated">> {
  const rows: string[] = [];
  let bytes = 0;
  for (const [index, hunk] of hunks.entries()) {
    const start = rows.length;
    for (const row of rowsOf(before, after, hunk)) {
      if (rows.length % LINES_PER_STEP === 0) yield;
      bytes += Buffer.byteLength(row);
      if (rows.length < mostLines && bytes <= mostBytes) {
        rows.push(row);
        continue;
      }
      const shownHunks = rows.length > start + 1 ? index + 1 : index;
      const shownRows = shownHunks > index ? rows : rows.slice(0, start);
      return {
        text: shownRows.join("") + truncationNote(hunks, shownHunks, shownRows.length - shownHunks),
        truncated: true,
      };
    }
  }
  return { text: rows.join(""), truncated: false };
}

function truncationNote(hunks: readonly Hunk[], hunksSeen: number, linesSeen: number): string {
  const all = hunks.reduce((sum, { lines, added }) => sum + lines + added, 0);
  const left = [countText(hunks.length - hunksSeen, "more hunk"), countText(all - linesSeen, "more line")];
  return `[Cut: ${left.filter((part) => part !== "").join(", ")}]\n`;
}

const countText = (count: number, noun: string): string =>
  count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`;

function* rowsOf(before: string, after: string, hunk: Hunk): Iterable<string> {
  const { line, lines, afterLine, added, removed, changes } = hunk;
  yield `@@ -${rangeOf(line, lines)} +${rangeOf(afterLine, lines - removed + added)} @@\n`;
  let at = hunk.from;
  for (const { from, to, afterFrom, afterTo } of changes) {
    yield* prefixedLines(" ", before, at, from);
    yield* prefixedLines("-", before, from, to);
    yield* prefixedLines("+", after, afterFrom, afterTo);
    at = to;
  }
  yield* prefixedLines(" ", before, at, hunk.to);
}

/** Formats a range. For an empty range, the format names the line before it. */
function rangeOf(line: number, lines: number): string {
  if (lines === 1) return `${line + 1}`;
  return `${lines === 0 ? line : line + 1},${lines}`;
}

function* prefixedLines(prefix: string, text: string, from: number, to: number): Iterable<string> {
  for (let at = from; at < to; at = nextLine(text, at)) {
    const line = prefix + text.slice(at, nextLine(text, at));
    yield line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`;
  }
}

/** Uses git's extended header only for moves and for empty files that are created or deleted. */
function headerOf({ path, fromPath = path, kind = "change" }: DiffOptions, hasHunks: boolean): string {
  const [old, fresh] = [patchName(`a/${fromPath}`), patchName(`b/${path}`)];
  const rows: string[] = [];
  if (fromPath !== path) rows.push(`rename from ${patchName(fromPath)}`, `rename to ${patchName(path)}`);
  if (kind === "create" && !hasHunks) rows.push("new file mode 100644");
  if (kind === "delete" && !hasHunks) rows.push("deleted file mode 100644");
  if (rows.length > 0) rows.unshift(`diff --git ${old} ${fresh}`);
  if (hasHunks) rows.push(`--- ${kind === "create" ? NO_FILE : withTab(old)}`);
  if (hasHunks) rows.push(`+++ ${kind === "delete" ? NO_FILE : withTab(fresh)}`);
  return rows.map((row) => `${row}\n`).join("");
}

const NO_FILE = "/dev/null";

/** Adds a tab after a name with spaces, because otherwise `patch` ends it at the first space. */
const withTab = (name: string): string => (name.startsWith('"') || !name.includes(" ") ? name : `${name}\t`);

/** Quotes a name like git, so that no name can forge a line of the diff and invisible characters are escaped. */
function patchName(name: string): string {
  if (quoted(name) === name) return name;
  return `"${Array.from(name, escapeCharacter).join("")}"`;
}

function escapeCharacter(character: string): string {
  if (character === '"' || character === "\\") return `\\${character}`;
  if (character !== "\n" && visible(character) === character) return character;
  return Array.from(Buffer.from(character), (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
