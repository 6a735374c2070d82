import { Buffer } from "node:buffer";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { runInSlices, type SlicedWork } from "../../../base/time-slicing.ts";
import type { LastLink, SafePath } from "../../../storage/storage.ts";
import { type LineStats, unifiedDiff } from "../../../text/diff/diff.ts";
import type { AddFile, DeleteFile, FilePatch, UpdateFile } from "../../../text/patch/file-patch.ts";
import { applyFilePatch } from "../../../text/patch/apply.ts";
import type { Splice } from "../../../text/edit/splice.ts";
import type { Change } from "../../../workspace/changes/change.ts";
import { deltaOf } from "../../../workspace/changes/delta.ts";
import type { Redactable, Target, View } from "../../../workspace/view.ts";
import { readWholeFile, type WholeFile } from "../../../workspace/read/whole-file.ts";
import { mergeBaseOf } from "./merge-base.ts";
import { parents } from "./preconditions.ts";
import { type DecodedFile, decodedFile, realSplices, type Respliced, respliced } from "./splicing.ts";

/** What a patch did to one file. */
export interface PatchedFile {
  readonly path: string;
  readonly place: SafePath;
  readonly action: "add" | "update" | "move" | "delete";
  readonly from?: string;
}

/** All files of a patch as they will be: sections are applied in turn, and nothing is written. */
export interface PatchDraft {
  apply(patch: FilePatch): Promise<void>;
  finish(): Finished;
}

interface Finished {
  readonly changes: readonly Change[];
  readonly files: readonly PatchedFile[];
  readonly diff: string;
  readonly notes: readonly string[];
}

/** A file on disk as the patch found it, or a link that the patch moves or deletes. */
interface Source extends WholeFile {
  readonly path: string;
  readonly place: SafePath;
  /** Its bytes are not those of what it leads to: it has none. */
  readonly isLink?: boolean;
}

/** A file as it will be, wherever the patch takes it. */
interface DraftFile {
  /** What it is made of; null for a new file. */
  readonly source: Source | null;
  readonly bytes: Uint8Array;
  readonly mode?: number | undefined;
  /** Lines added and removed. */
  readonly lines?: LineStats | undefined;
  /** What others changed in it meanwhile. */
  readonly notes?: readonly string[] | undefined;
}

/** One place that the patch touches. */
interface DraftSlot {
  readonly path: string;
  readonly target: Target;
  /** The file that is there on disk. */
  readonly original: Source | null;
  /** The file that will be there. */
  draft: DraftFile | null;
}

export function createPatchDraft(view: View, versions: Readonly<Record<string, string>>): PatchDraft {
  const slots = new Map<SafePath, DraftSlot>();
  let heldBytes = 0;
  const diffs: string[] = [];
  const expected = new Map(Object.entries(versions));
  /** A link is meant itself where it is to leave its place, and once the patch has touched it; else what it leads to. */
  const sheetOf = async (path: string, last: LastLink): Promise<DraftSlot> => {
    const here = await view.target(path, "keep");
    const isFollowed = here.now?.facts.kind === "symlink" && last === "follow" && !slots.has(here.place);
    return sheetAt(path, isFollowed ? await view.target(path, "follow") : here);
  };
  const sheetAt = async (path: string, target: Target): Promise<DraftSlot> => {
    const known = slots.get(target.place);
    if (known) return known;
    heldBytes += target.now?.facts.kind === "file" ? target.now.facts.size : 0;
    if (heldBytes > LIMITS.patchBytes) throw tooMuchHeld();
    const original = await sourceAt(view, path, target);
    const slot: DraftSlot = { path, target, original, draft: original && { source: original, bytes: original.bytes } };
    slots.set(target.place, slot);
    return slot;
  };
  const apply = async (patch: FilePatch): Promise<void> => {
    const isLeaving = patch.kind === "delete" || (patch.kind === "update" && patch.to !== undefined);
    const sheet = await sheetOf(patch.path, isLeaving ? "keep" : "follow");
    const version = expected.get(patch.path);
    expected.delete(patch.path);
    if (patch.kind === "add") return void diffs.push(await add(view, sheet, patch));
    if (patch.kind === "delete") return void diffs.push(await remove(view, sheet, patch, version));
    const destination = patch.to === undefined ? sheet : await sheetOf(patch.to, "keep");
    const link = sheet.draft?.source?.isLink ? sheet.draft.source : undefined;
    if (!link) return void diffs.push(await update(view, sheet, patch, destination, version));
    if (patch.hunks.length > 0 || version !== undefined) {
      const linkTarget = await sheetAt(link.path, await view.target(link.path, "follow"));
      diffs.push(await update(view, linkTarget, patch, linkTarget, version));
    }
    diffs.push(moveLink(view, sheet, patch, destination));
  };
  return {
    apply: (patch) => apply(patch).catch((error) => Promise.reject(withPatchPath(error, patch))),
    finish() {
      const [unknown] = expected.keys();
      if (unknown !== undefined)
        throw new Fault(
          "invalid_input",
          `Cannot apply the patch: if_match names ${JSON.stringify(unknown)}, the patch does not`,
        );
      for (const sheet of slots.values()) requireDirectories(sheet, slots);
      const all = inOrder([...slots.values()]);
      const arrivals = all.filter((arrival) => !isUntouched(arrival));
      const notes = [
        ...arrivals.flatMap(({ draft }) => draft?.notes ?? []),
        ...all.filter(isUntouched).map(untouchedNote),
      ];
      const diff = arrivals.length > 0 ? diffs.join("") : "";
      return { changes: arrivals.flatMap(changesOf), files: arrivals.flatMap(fileOf), diff, notes };
    },
  };
}

/** A file that is deleted and added again with the same content and mode is left alone. */
function isUntouched({ draft, present }: OrderedSlot): boolean {
  if (!draft || draft.source || !present || present.isLink) return false;
  const isSameMode = draft.mode === undefined || draft.mode === present.facts.mode;
  return isSameMode && Buffer.compare(draft.bytes, present.bytes) === 0;
}

const untouchedNote = ({ path }: OrderedSlot): string =>
  `${JSON.stringify(path)} was left alone: the patch deletes it and adds it again with the same content`;

const tooMuchHeld = (): Fault =>
  new Fault("too_large", `Cannot apply the patch: its files have more than ${LIMITS.patchBytes} bytes together`, {
    hint: "Split it into several patches, each for fewer of the large files",
  });

async function sourceAt(view: View, path: string, { place, now }: Target): Promise<Source | null> {
  if (now?.facts.kind === "symlink") return { ...now, bytes: NOTHING, path, place, isLink: true };
  if (now?.facts.kind !== "file") return null;
  return { ...(await view.withFile(place, readWholeFile)), path, place };
}

const NOTHING = Buffer.alloc(0);

/** Every fault says which file of the patch it is about. */
function withPatchPath(error: unknown, { path, line }: FilePatch): unknown {
  if (!(error instanceof Fault) || error.details["path"] !== undefined) return error;
  return new Fault(error.code, error.message, { path, line, ...error.details }, error);
}

async function add(view: View, slot: DraftSlot, { path, text: given, mode }: AddFile): Promise<string> {
  if (isTaken(slot))
    throw new Fault("exists", `Cannot add ${JSON.stringify(path)}: it exists already`, {
      path,
      hint: "Update the file instead of adding it, or delete it in the same patch first",
    });
  const text = view.redactable(slot.target.place, "").real(given);
  const steps = unifiedDiff("", text, { path, kind: "create" });
  const { text: diff, ...lines } = await runInSlices(steps, view.checkpoint);
  slot.draft = { source: null, bytes: Buffer.from(text, "utf8"), mode, lines };
  return diff;
}

/** A file leaves its place when the patch moves or deletes it; what is no file stays. */
const isTaken = ({ draft, target, original }: DraftSlot): boolean =>
  draft !== null || (target.now !== null && !original);

async function remove(view: View, slot: DraftSlot, patch: DeleteFile, version: string | undefined): Promise<string> {
  const page = draftFileOf(slot, patch.path);
  requireVersion(page, patch.path, version);
  const text = patch.hunks.length > 0 ? await checkedText(view, slot, page, patch) : undefined;
  slot.draft = null;
  if (text === undefined || page.source?.isLink) return `--- ${view.nameOf(slot.target.place)} deleted\n`;
  return (await runInSlices(unifiedDiff(text, "", { path: patch.path, kind: "delete" }), view.checkpoint)).text;
}

/** The link goes to its new place as it is. */
function moveLink(view: View, slot: DraftSlot, patch: UpdateFile, destination: DraftSlot): string {
  if (destination === slot) return "";
  if (isTaken(destination)) throw takenFault(patch);
  destination.draft = slot.draft;
  slot.draft = null;
  return `--- ${view.nameOf(slot.target.place)} moved to ${view.nameOf(destination.target.place)}\n`;
}

/** The hunks of a deletion say what the file must hold; of a link, what it leads to. */
async function checkedText(
  view: View,
  { target }: DraftSlot,
  { bytes, source }: DraftFile,
  patch: DeleteFile,
): Promise<string> {
  const place = source?.isLink ? (await view.target(source.path, "follow")).place : target.place;
  const checked = source?.isLink ? (await view.withFile(place, readWholeFile)).bytes : bytes;
  const file = await decodedFile(checked, patch.path);
  await runInSlices(applyFilePatch(view.redactable(place, file.text).text, patch), view.checkpoint);
  return file.text;
}

async function update(
  view: View,
  slot: DraftSlot,
  patch: UpdateFile,
  destination: DraftSlot,
  version: string | undefined,
): Promise<string> {
  const page = draftFileOf(slot, patch.path);
  if (destination !== slot && isTaken(destination)) throw takenFault(patch);
  const there = { bytes: page.bytes, version: page.source?.version };
  const base = await mergeBaseOf(view, slot.target.place, there, version);
  const file = await decodedFile(base.bytes, patch.path);
  const redactable = view.redactable(slot.target.place, file.text);
  const { splices, bytes, diff, lines } = await runInSlices(patchSteps(file, redactable, patch), view.checkpoint);
  const fresh = splices.length === 0 ? page.bytes : await base.merge(bytes);
  slot.draft = null;
  destination.draft = {
    source: page.source,
    bytes: fresh,
    mode: patch.mode ?? page.mode,
    lines: sumOf(page.lines, lines),
    notes: [...(page.notes ?? []), ...base.notes],
  };
  return diff;
}

/** Long work for a large file: others may come between. */
function* patchSteps(
  file: DecodedFile,
  redactable: Redactable,
  patch: UpdateFile,
): SlicedWork<Respliced & { readonly splices: readonly Splice[] }> {
  const plan = yield* applyFilePatch(redactable.text, patch);
  const splices = yield* realSplices(plan.splices, redactable);
  return { splices, ...(yield* respliced(file, splices, patch.to ?? patch.path, patch.path)) };
}

/** Several sections may speak of one file. */
const sumOf = (before: LineStats = { added: 0, removed: 0 }, { added, removed }: LineStats): LineStats => ({
  added: before.added + added,
  removed: before.removed + removed,
});

const takenFault = ({ to = "" }: UpdateFile): Fault =>
  new Fault("exists", `Cannot move to ${JSON.stringify(to)}: something is there already`, { path: to });

function draftFileOf({ draft, target, original }: DraftSlot, path: string): DraftFile {
  if (draft) return draft;
  const what = `Cannot patch ${JSON.stringify(path)}`;
  if (original)
    throw new Fault("not_found", `${what}: the patch itself has moved or deleted it before`, {
      path,
      hint: "Name a file by the place that the sections before have left it at",
    });
  if (target.now) throw new Fault("not_a_file", `${what}: it is not a regular file`, { path });
  throw new Fault("not_found", `${what}: it does not exist`, { path });
}

function requireVersion({ source }: DraftFile, path: string, version: string | undefined): void {
  if (version === undefined || version === source?.version) return;
  throw new Fault("stale", `Cannot delete ${JSON.stringify(path)}: it has changed since it was read`, { path });
}

/** The directories that a file needs are made, unless the patch puts a file there. */
function requireDirectories({ draft, path, target }: DraftSlot, slots: ReadonlyMap<SafePath, DraftSlot>): void {
  const file = draft && target.missing.map((place) => slots.get(place)).find((above) => above?.draft);
  if (!file) return;
  const state = `the patch makes ${JSON.stringify(file.path)} a file, not a directory`;
  const hint = "Choose another name for one of them";
  throw new Fault("not_a_directory", `Cannot make ${JSON.stringify(path)}: ${state}`, { path, hint });
}

/** A place whose turn has come. */
interface OrderedSlot extends DraftSlot {
  /** The file that is there by then. */
  readonly present: Source | null;
  /** Whether what its page is made of has been replaced by then. */
  readonly isSourceReplaced: boolean;
}

/**
 * What leaves a place does so before something else comes there. Where files change places in a circle, one has to
 * come late.
 */
function inOrder(slots: readonly DraftSlot[]): readonly OrderedSlot[] {
  const successors = new Map(slots.map((slot) => [slot.draft?.source, slot]));
  const visited = new Set<DraftSlot>();
  const done = new Map<SafePath, OrderedSlot>();
  const place = (sheet: DraftSlot): void => {
    if (visited.has(sheet)) return;
    visited.add(sheet);
    const { original, draft, target } = sheet;
    const successor = original ? successors.get(original) : undefined;
    if (successor) place(successor);
    const present = successor && done.has(successor.target.place) ? null : original;
    const isLate = draft?.source ? done.has(draft.source.place) : false;
    done.set(target.place, { ...sheet, present, isSourceReplaced: isLate });
  };
  for (const sheet of slots) place(sheet);
  return [...done.values()];
}

/** A sheet that starts and ends with nothing asks for nothing. */
function changesOf({ target, draft, present, isSourceReplaced }: OrderedSlot): readonly Change[] {
  const { place } = target;
  const expect = present?.version ?? null;
  if (!draft) return present ? [{ kind: "remove", path: place, expect, into: "trash" }] : [];
  const { source, bytes, mode } = draft;
  if (!source && present?.isLink)
    return [{ kind: "remove", path: place, expect, into: "trash" }, writeOf(draft, place, null)];
  if (!source) return [...parents(target), writeOf(draft, place, present)];
  if (isSourceReplaced && source.isLink) throw cycleFault(source);
  if (isSourceReplaced)
    return [
      { kind: "write", path: place, content: bytes, expect, mode: mode ?? source.facts.mode, movedFrom: source.place },
    ];
  const edits = editsOf(draft, source);
  if (source.place === place) return edits;
  const moved: Change = { kind: "move", path: source.place, to: place, replaces: expect };
  return [...parents(target), ...edits, edits.length > 0 ? moved : { ...moved, expect: source.version }];
}

const cycleFault = ({ path }: Source): Fault =>
  new Fault("invalid_input", `Cannot move the link ${JSON.stringify(path)}: the patch moves files in a circle`, {
    path,
    hint: "Move the link with the tool move first",
  });

/** A file is changed where it is, so that owner and mode come along when it moves. */
function editsOf(page: DraftFile, source: Source): readonly Change[] {
  const { place: path, version: expect } = source;
  if (page.bytes !== source.bytes) return [writeOf(page, path, source)];
  return page.mode === undefined ? [] : [{ kind: "chmod", path, mode: page.mode, expect }];
}

function writeOf({ bytes: content, mode, lines }: DraftFile, path: SafePath, over: Source | null): Change {
  const delta = over ? deltaOf(over.bytes, content) : undefined;
  return { kind: "write", path, content, expect: over?.version ?? null, mode, lines, delta };
}

function fileOf({ path, target, draft, present }: OrderedSlot): readonly PatchedFile[] {
  const { place } = target;
  if (!draft) return present ? [{ path, place, action: "delete" }] : [];
  const { source } = draft;
  if (!source) return [{ path, place, action: present ? "update" : "add" }];
  if (source.place !== place) return [{ path, place, action: "move", from: source.path }];
  return editsOf(draft, source).length > 0 ? [{ path, place, action: "update" }] : [];
}
