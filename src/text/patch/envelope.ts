import type { SlicedWork } from "../../base/time-slicing.ts";
import type { FilePatch, Hunk } from "./file-patch.ts";
import {
  addToDraft,
  createHunkDraft,
  headerOf,
  type HunkDraft,
  hunkOf,
  isChange,
  isOpenMark,
  textOfLines,
} from "./hunk-draft.ts";
import { badPatch, foundInstead, type PatchLine } from "./patch-lines.ts";
import { LINES_PER_STEP } from "../text-lines.ts";

/** Returns true if the envelope begins at this line. Lines before it may be a code fence, a heredoc or prose. */
export const isEnvelopeStart = (lines: readonly PatchLine[], at: number): boolean =>
  lines[at]?.text.trim() === "*** Begin Patch";

/** Parses the envelope at `begin`, and any that follow it directly. */
export function* parseEnvelope(given: readonly PatchLine[], begin: number): SlicedWork<FilePatch[]> {
  const lines = withUnindentedEnd(given);
  const patches: FilePatch[] = [];
  const tag = heredocTag(lines.slice(0, begin));
  let at = begin + 1;
  while (at < lines.length) {
    yield;
    const line = lines[at] as PatchLine;
    if (line.text.trim() === END) {
      const next = nextEnvelope(lines, at + 1, tag);
      if (next < 0) return nonEmpty(patches, line);
      at = next + 1;
      continue;
    }
    if (line.text.trim() === "") {
      at++;
      continue;
    }
    const section = yield* sectionAt(lines, at);
    patches.push(section.patch);
    at = section.next;
  }
  throw badPatch({ line: lines.length }, `the patch ends without "${END}": was it cut off?`);
}

const END = "*** End Patch";

/** Accepts an indented end mark if it is the last line with text, because then it cannot be a line of a file. */
function withUnindentedEnd(lines: readonly PatchLine[]): readonly PatchLine[] {
  const last = lines.findLastIndex(({ text }) => text.trim() === END);
  const line = lines[last];
  const isLast = lines.slice(last + 1).every(({ text }) => /^(?:`{3,}|~{3,}|\w*)$/.test(text.trim()));
  return line && isLast ? lines.with(last, { ...line, text: END }) : lines;
}

const END_OF_FILE = "*** End of File";
const HEADER = /^\*\*\* (Add|Delete|Update) File:(.*)$/;
const MOVE = /^\*\*\* Move to:(.*)$/;

function nonEmpty(patches: FilePatch[], { number }: PatchLine): FilePatch[] {
  if (patches.length === 0) throw badPatch({ line: number }, "the patch names no file");
  return patches;
}

const heredocTag = (before: readonly PatchLine[]): string | undefined =>
  before.map(({ text }) => /<<-?\s*(["']?)(\w+)\1/.exec(text)?.[2]).findLast((tag) => tag !== undefined);

/**
 * Returns the index of the next envelope after an end mark, or -1. Refuses any other text, which would be lost
 * silently.
 */
function nextEnvelope(lines: readonly PatchLine[], from: number, tag: string | undefined): number {
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] as PatchLine;
    const text = line.text.trim();
    if (isEnvelopeStart(lines, at)) return at;
    if (text === tag) return -1;
    if (text !== "" && !/^(?:`{3,}|~{3,})$/.test(text)) {
      throw badPatch({ line: line.number }, `nothing may follow "${END}", ${foundInstead(line)}`);
    }
  }
  return -1;
}

interface Section {
  readonly patch: FilePatch;
  readonly next: number;
}

function* sectionAt(lines: readonly PatchLine[], at: number): SlicedWork<Section> {
  const line = lines[at] as PatchLine;
  const [, kind, name = ""] = HEADER.exec(line.text.trimStart()) ?? [];
  if (kind === undefined) {
    throw badPatch(
      { line: line.number },
      `expected "*** Add File: ", "*** Update File: " or "*** Delete File: ", ${foundInstead(line)}`,
    );
  }
  const place = { line: line.number, path: pathIn(name, line) };
  const end = sectionEnd(lines, at + 1);
  const body = lines.slice(at + 1, end);
  if (kind === "Add") return { patch: { kind: "add", ...place, text: yield* addedText(body, place) }, next: end };
  if (kind === "Update") return { patch: yield* updateOf(body, place), next: end };
  const extra = body.find(({ text }) => text.trim() !== "");
  if (extra) throw badPatch({ ...place, line: extra.number }, `a deletion has no lines, ${foundInstead(extra)}`);
  return { patch: { kind: "delete", ...place, hunks: [] }, next: end };
}

/** Returns the end of a section: the next line that begins with "***". Every line of content has a prefix. */
function sectionEnd(lines: readonly PatchLine[], from: number): number {
  let end = from;
  while (end < lines.length && !isSectionStart(lines[end]?.text ?? "")) end++;
  return end;
}

const isSectionStart = (text: string): boolean =>
  /^\*{3}(?: |$)/.test(text) && text.trimEnd() !== END_OF_FILE && !MOVE.test(text);

interface Place {
  readonly line: number;
  readonly path: string;
}

function pathIn(name: string, { number }: PatchLine): string {
  if (name.trim() === "") throw badPatch({ line: number }, "the path is missing");
  return name.trim();
}

/** Returns the text of an added file. A blank line between two added ones is an empty line whose "+" was forgotten. */
function* addedText(body: readonly PatchLine[], place: Place): SlicedWork<string> {
  const last = body.findLastIndex(({ text }) => text.trim() !== "");
  const draft = createHunkDraft({ text: "", number: place.line, hasReturn: false });
  for (const [index, line] of body.slice(0, last + 1).entries()) {
    if (index % LINES_PER_STEP === LINES_PER_STEP - 1) yield;
    if (line.text.trimEnd() === END_OF_FILE) continue;
    const isBlank = line.text.trim() === "";
    if (!isBlank && !line.text.startsWith("+") && !isOpenMark(line)) {
      throw badPatch(
        { ...place, line: line.number },
        `every line of a new file begins with "+", ${foundInstead(line)}`,
      );
    }
    addToDraft(draft, isBlank ? { ...line, text: "+" } : line);
  }
  return textOfLines(draft.lines);
}

function* updateOf(body: readonly PatchLine[], place: Place): SlicedWork<FilePatch> {
  const first = body.findIndex(({ text }) => text.trim() !== "");
  const line = body[first];
  const move = line && MOVE.exec(line.text);
  if (!line || !move) {
    const hunks = yield* hunksOf(body, place);
    if (!isChange(hunks)) throw badPatch(place, "the update changes nothing");
    return { kind: "update", ...place, hunks };
  }
  return {
    kind: "update",
    ...place,
    to: pathIn(move[1] ?? "", line),
    hunks: yield* hunksOf(body.slice(first + 1), place),
  };
}

function* hunksOf(body: readonly PatchLine[], place: Place): SlicedWork<Hunk[]> {
  const drafts: HunkDraft[] = [];
  for (const [index, line] of body.entries()) {
    if (index % LINES_PER_STEP === LINES_PER_STEP - 1) yield;
    readLine(drafts, line, place);
  }
  const hunks = drafts.map((draft) => hunkOf(draft));
  const empty = hunks.findIndex(({ lines, anchors }) => lines.length === 0 && anchors.length > 0);
  if (empty >= 0) {
    throw badPatch(
      { ...place, line: hunks[empty]?.line ?? place.line, hunk: empty + 1 },
      "no lines follow the context",
    );
  }
  return hunks.filter(({ lines }) => lines.length > 0);
}

/** Adds a line to the last hunk or starts a new one. Several "@@" in a row name one place, from the outside in. */
function readLine(drafts: HunkDraft[], line: PatchLine, place: Place): void {
  const open = drafts.at(-1)?.isAtEnd ? undefined : drafts.at(-1);
  if (line.text.startsWith("@@")) {
    const outer = open && open.lines.length === open.trailingBlanks ? drafts.pop() : undefined;
    const { start, anchors: own } = headerOf(line);
    const first = outer?.anchors.length ? { ...line, number: outer.line } : line;
    const anchors = outer?.anchors ?? [];
    anchors.push(...own);
    drafts.push(createHunkDraft(first, { ...(start !== undefined && { start }), anchors }));
    return;
  }
  if (line.text.trimEnd() === END_OF_FILE) {
    if (open === undefined) throw badPatch({ ...place, line: line.number }, "no hunk ends here");
    open.isAtEnd = true;
    return;
  }
  const draft = open ?? createHunkDraft(line);
  if (open === undefined) drafts.push(draft);
  if (addToDraft(draft, line)) return;
  const expected = 'expected a line that begins with " ", "+", "-" or "@@"';
  throw badPatch({ ...place, line: line.number, hunk: drafts.length }, `${expected}, ${foundInstead(line)}`);
}
