import type { SlicedWork } from "../../base/time-slicing.ts";
import type { FilePatch, Hunk } from "./file-patch.ts";
import {
  addToDraft,
  createHunkDraft,
  headerOf,
  hunkOf,
  isChange,
  isOpenMark,
  lineKindOf,
  textOfLines,
} from "./hunk-draft.ts";
import { badPatch, foundInstead, type PatchLine } from "./patch-lines.ts";
import { type DiffNames, gitName, headerNames, nameInHeader } from "./diff-names.ts";
import { LINES_PER_STEP } from "../text-lines.ts";

/** Returns true if the diff of a file begins at this line. */
export function isDiffStart(lines: readonly PatchLine[], at: number): boolean {
  const text = lines[at]?.text ?? "";
  return /^diff --(?:git|cc|combined) /.test(text) || isHeaderPair(lines, at);
}

/** Parses all files of a unified diff. Other text between them, such as a commit message, is skipped. */
export function* parseUnified(lines: readonly PatchLine[], begin: number): SlicedWork<FilePatch[]> {
  const patches: FilePatch[] = [];
  let at = begin;
  while (at < lines.length) {
    yield;
    const line = lines[at] as PatchLine;
    if (!isDiffStart(lines, at)) {
      refuseUnknownLine(line);
      at++;
      continue;
    }
    const facts = fileHeaderAt(lines, at);
    const { hunks, next } = yield* hunksAt(lines, facts.next, facts);
    patches.push(patchOf(facts, hunks));
    at = next;
  }
  return patches;
}

function isHeaderPair(lines: readonly PatchLine[], at: number): boolean {
  return (lines[at]?.text.startsWith("--- ") ?? false) && (lines[at + 1]?.text.startsWith("+++ ") ?? false);
}

/** Refuses lines whose skipping would silently leave out part of the patch. */
function refuseUnknownLine(line: PatchLine): void {
  if (line.text.startsWith("@@")) throw badPatch({ line: line.number }, "the hunk belongs to no file");
  refuseBinary(line);
}

function refuseBinary(line: PatchLine, path?: string): void {
  if (!/^(?:Binary files .* differ|GIT binary patch)$/.test(line.text)) return;
  throw badPatch({ line: line.number, path }, "binary patches cannot be applied; write the file instead");
}

/** The header of a file before its first hunk. A name is null if there is no file on that side. */
interface FileHeader extends DiffNames {
  readonly line: number;
  readonly path: string;
  readonly mode?: number;
  readonly next: number;
}

function fileHeaderAt(lines: readonly PatchLine[], at: number): FileHeader {
  const line = lines[at] as PatchLine;
  if (line.text.startsWith("diff --git ")) return gitHeaderAt(lines, at);
  if (!isHeaderPair(lines, at)) throw badPatch({ line: line.number }, "a combined diff of a merge cannot be applied");
  const { from, to } = headerNames(line, lines[at + 1] as PatchLine);
  return { from, to, path: pathOf(from, to, line), line: line.number, next: at + 2 };
}

function gitHeaderAt(lines: readonly PatchLine[], at: number): FileHeader {
  const line = lines[at] as PatchLine;
  const same = gitName(line) ?? undefined;
  const { renamed, isNew, isDeleted, mode, next } = extendedHeaderAt(lines, at + 1, same);
  const isPair = isHeaderPair(lines, next);
  const isNamed = isPair && renamed.from === undefined;
  const pair = isNamed ? headerNames(lines[next] as PatchLine, lines[next + 1] as PatchLine) : undefined;
  const from = isNew || pair?.from === null ? null : requireName(renamed.from ?? same ?? pair?.from, line);
  const to = isDeleted || pair?.to === null ? null : requireName(renamed.to ?? same ?? pair?.to, line);
  const path = pathOf(from, to, line);
  return { from, to, path, line: line.number, next: next + (isPair ? 2 : 0), ...(mode !== undefined && { mode }) };
}

/** Refuses a missing name, because it must not be mistaken for a missing file: the other one would be deleted. */
function requireName(name: string | undefined, { number }: PatchLine): string {
  if (name === undefined) throw badPatch({ line: number }, "the names cannot be told apart, and no line says them");
  return name;
}

function pathOf(from: string | null, to: string | null, { number }: PatchLine): string {
  const path = from ?? to;
  if (path === null) throw badPatch({ line: number }, "the file has no name");
  return path;
}

/** The extended header of git. */
interface ExtendedHeader {
  readonly renamed: { from?: string; to?: string };
  isNew: boolean;
  isDeleted: boolean;
  mode?: number;
  next: number;
}

const EXTENDED =
  /^(?:(old|new|new file|deleted file) mode (\d+)|(rename|copy) (from|to) (.+)|index \S+?(?: (\d{6}))?|(?:dis)?similarity index .*)$/;

function extendedHeaderAt(lines: readonly PatchLine[], from: number, path: string | undefined): ExtendedHeader {
  const extended: ExtendedHeader = { renamed: {}, isNew: false, isDeleted: false, next: from };
  for (; extended.next < lines.length; extended.next++) {
    const line = lines[extended.next] as PatchLine;
    refuseBinary(line, path);
    const [all, which, mode, verb, side, name = "", indexMode] = EXTENDED.exec(line.text) ?? [];
    if (all === undefined) break;
    refuseType(mode ?? indexMode, line, path);
    if (verb === "copy") throw badPatch({ line: line.number }, "copies cannot be applied; copy the file first");
    if (side === "from" || side === "to") extended.renamed[side] = nameInHeader(name, line);
    if (which === "new file") extended.isNew = true;
    if (which === "deleted file") extended.isDeleted = true;
    if (which?.startsWith("new")) extended.mode = Number.parseInt(mode ?? "", 8) & 0o777;
  }
  return extended;
}

const TYPES: Readonly<Record<string, string>> = { "120": "a symbolic link", "160": "a submodule" };

function refuseType(mode: string | undefined, { number }: PatchLine, path: string | undefined): void {
  const type = TYPES[mode?.slice(0, 3) ?? ""];
  if (type !== undefined) throw badPatch({ line: number, path }, `${type} cannot be patched`);
}

interface ReadHunks {
  readonly hunks: Hunk[];
  readonly next: number;
}

function* hunksAt(lines: readonly PatchLine[], from: number, { path }: FileHeader): SlicedWork<ReadHunks> {
  const hunks: Hunk[] = [];
  let at = from;
  while (lines[at]?.text.startsWith("@@")) {
    const read = yield* hunkAt(lines, at, path, hunks.length + 1);
    hunks.push(read.hunk);
    at = read.next;
  }
  return { hunks, next: at };
}

interface ReadHunk {
  readonly hunk: Hunk;
  readonly next: number;
}

function* hunkAt(lines: readonly PatchLine[], at: number, path: string, hunk: number): SlicedWork<ReadHunk> {
  yield;
  const line = lines[at] as PatchLine;
  const header = headerOf(line);
  const place = { path, hunk };
  if (header.start === undefined && /^@@@|^@@ -\d/.test(line.text)) {
    throw badPatch({ ...place, line: line.number }, `expected "@@ -1,2 +1,3 @@" or "@@" alone, ${foundInstead(line)}`);
  }
  const draft = createHunkDraft(line, header);
  const { oldCount = 0, newCount = 0 } = header;
  const isCounted = header.oldCount !== undefined;
  const next = isCounted
    ? countedEnd(lines, at + 1, { old: oldCount, new: newCount }, place)
    : uncountedEnd(lines, at + 1);
  for (const [index, one] of lines.slice(at + 1, next).entries()) {
    if (index % LINES_PER_STEP === LINES_PER_STEP - 1) yield;
    if (addToDraft(draft, one)) continue;
    throw badPatch({ ...place, line: one.number }, `no line stands before it, ${foundInstead(one)}`);
  }
  const read = hunkOf(draft);
  if (read.lines.length === 0) throw badPatch({ ...place, line: line.number }, "the hunk has no lines");
  return { hunk: read, next };
}

/** Returns the end of a hunk by its counts, because a removed "-- x" looks like the header of a file. */
function countedEnd(
  lines: readonly PatchLine[],
  from: number,
  counts: { old: number; new: number },
  place: { readonly path: string; readonly hunk: number },
): number {
  let at = from;
  const remaining = { ...counts };
  const throwWrongCount = (problem: string): never => {
    const announced = `the hunk announces ${counts.old} old and ${counts.new} new lines`;
    const line = lines[at]?.number ?? lines.length;
    throw badPatch({ ...place, line }, `${announced}, ${problem}; correct the numbers or write "@@" alone`);
  };
  while (remaining.old > 0 || remaining.new > 0 || isOpenMark(lines[at])) {
    const line = lines[at];
    const kind = line && lineKindOf(line);
    if (!isOpenMark(line) && kind === undefined) throwWrongCount(foundInstead(line));
    if (kind === "context" || kind === "remove") remaining.old--;
    if (kind === "context" || kind === "add") remaining.new--;
    if (remaining.old < 0 || remaining.new < 0) throwWrongCount("but has more");
    at++;
  }
  if (hasMoreLines(lines, at)) throwWrongCount("but has more");
  return at;
}

/**
 * Returns true if more lines of a hunk follow. Blank lines are spacing, and a mail ends with "-- " and the version of
 * git.
 */
function hasMoreLines(lines: readonly PatchLine[], at: number): boolean {
  const line = lines[at];
  if (line === undefined || line.text.trim() === "" || isHeaderPair(lines, at)) return false;
  return lineKindOf(line) !== undefined && !/^-- ?$/.test(line.text);
}

function uncountedEnd(lines: readonly PatchLine[], from: number): number {
  let at = from;
  for (; at < lines.length && !isDiffStart(lines, at); at++) {
    const line = lines[at] as PatchLine;
    if (lineKindOf(line) === undefined && !isOpenMark(line)) break;
  }
  return at;
}

function patchOf(facts: FileHeader, hunks: Hunk[]): FilePatch {
  const { from, to, path, line, mode } = facts;
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const place = { line, path };
  const given = { ...(mode !== undefined && { mode }) };
  if (from === null) {
    const other = lines.some(({ kind }) => kind !== "add") || hunks.length > 1;
    if (other) throw badPatch(place, "a new file has one hunk, and only lines that are added");
    return { kind: "add", ...place, text: textOfLines(lines), ...given };
  }
  if (to === null) {
    if (lines.some(({ kind }) => kind === "add")) throw badPatch(place, "a deleted file has no lines that are added");
    return { kind: "delete", ...place, hunks };
  }
  const isMoved = to !== from;
  if (!isMoved && mode === undefined && !isChange(hunks)) throw badPatch(place, "the diff changes nothing");
  return { kind: "update", ...place, ...(isMoved && { to }), ...given, hunks };
}
