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
import type { SearchableText, Target, View } from "../../../workspace/view.ts";
import { readWholeFile, type WholeFile } from "../../../workspace/read/whole-file.ts";
import { mergeBaseOf } from "./merge-base.ts";
import { mkdirMissingParents } from "./preconditions.ts";
import { type DecodedFile, decodedFile, realSplices, type Respliced, applySplices } from "./splicing.ts";

/** Describes what a patch does to one file. */
export interface PatchedFile {
  readonly path: string;
  readonly place: SafePath;
  readonly action: "add" | "update" | "move" | "delete";
  readonly from?: string;
}

/** Holds the files of a patch as they will be. Sections are applied in order, and nothing is written. */
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

/** A file on disk before the patch, or a link that the patch moves or deletes. */
interface Source extends WholeFile {
  readonly path: string;
  readonly place: SafePath;
  /** Is true for a link itself, which has no bytes of its own. */
  readonly isLink?: boolean;
}

/** The future content of a file, at whatever path the patch gives it. */
interface DraftFile {
  /** The file on disk that it comes from. It is null for a new file. */
  readonly source: Source | null;
  readonly bytes: Uint8Array;
  readonly mode?: number | undefined;
  readonly lines?: LineStats | undefined;
  /** Notes about concurrent changes that were merged. */
  readonly notes?: readonly string[] | undefined;
}

/** One path that the patch touches. */
interface DraftSlot {
  readonly path: string;
  readonly target: Target;
  /** The file on disk before the patch. */
  readonly original: Source | null;
  /** The file after the patch, or null if the path will be free. */
  draft: DraftFile | null;
}

export function createPatchDraft(view: View, versions: Readonly<Record<string, string>>): PatchDraft {
  const slots = new Map<SafePath, DraftSlot>();
  let heldBytes = 0;
  const diffs: string[] = [];
  const expected = new Map(Object.entries(versions));
  /** Follows a link at the end of a path, unless the patch moves or deletes it or has touched the link before. */
  const slotFor = async (path: string, last: LastLink): Promise<DraftSlot> => {
    const here = await view.resolveTarget(path, "keep");
    const isFollowed = here.now?.facts.kind === "symlink" && last === "follow" && !slots.has(here.place);
    return slotAt(path, isFollowed ? await view.resolveTarget(path, "follow") : here);
  };
  const slotAt = async (path: string, target: Target): Promise<DraftSlot> => {
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
    const isRemoved = patch.kind === "delete" || (patch.kind === "update" && patch.to !== undefined);
    const slot = await slotFor(patch.path, isRemoved ? "keep" : "follow");
    const version = expected.get(patch.path);
    expected.delete(patch.path);
    if (patch.kind === "add") return void diffs.push(await draftAdd(view, slot, patch));
    if (patch.kind === "delete") return void diffs.push(await draftRemove(view, slot, patch, version));
    const destination = patch.to === undefined ? slot : await slotFor(patch.to, "keep");
    const link = slot.draft?.source?.isLink ? slot.draft.source : undefined;
    if (!link) return void diffs.push(await draftUpdate(view, slot, patch, destination, version));
    if (patch.hunks.length > 0 || version !== undefined) {
      const linkTarget = await slotAt(link.path, await view.resolveTarget(link.path, "follow"));
      diffs.push(await draftUpdate(view, linkTarget, patch, linkTarget, version));
    }
    diffs.push(moveLink(view, slot, patch, destination));
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
      for (const slot of slots.values()) requireDirectories(slot, slots);
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
  if (now?.facts.kind === "symlink") return { ...now, bytes: NO_BYTES, path, place, isLink: true };
  if (now?.facts.kind !== "file") return null;
  return { ...(await view.withFile(place, readWholeFile)), path, place };
}

const NO_BYTES = Buffer.alloc(0);

/** Adds the path and the line of the patch to faults that do not name a path. */
function withPatchPath(error: unknown, { path, line }: FilePatch): unknown {
  if (!(error instanceof Fault) || error.details["path"] !== undefined) return error;
  return new Fault(error.code, error.message, { path, line, ...error.details }, error);
}

async function draftAdd(view: View, slot: DraftSlot, { path, text: given, mode }: AddFile): Promise<string> {
  if (isTaken(slot))
    throw new Fault("exists", `Cannot add ${JSON.stringify(path)}: it exists already`, {
      path,
      hint: "Update the file instead of adding it, or delete it in the same patch first",
    });
  const text = view.searchableText(slot.target.place, "").restored(given);
  const steps = unifiedDiff("", text, { path, kind: "create" });
  const { text: diff, ...lines } = await runInSlices(steps, view.checkpoint);
  slot.draft = { source: null, bytes: Buffer.from(text, "utf8"), mode, lines };
  return diff;
}

/**
 * Returns true if something will occupy the path. Files leave when the patch moves or deletes them; anything else
 * stays.
 */
const isTaken = ({ draft, target, original }: DraftSlot): boolean =>
  draft !== null || (target.now !== null && !original);

async function draftRemove(
  view: View,
  slot: DraftSlot,
  patch: DeleteFile,
  version: string | undefined,
): Promise<string> {
  const file = draftFileOf(slot, patch.path);
  requireVersion(file, patch.path, version);
  const text = patch.hunks.length > 0 ? await checkedText(view, slot, file, patch) : undefined;
  slot.draft = null;
  if (text === undefined || file.source?.isLink) return `--- ${view.nameOf(slot.target.place)} deleted\n`;
  return (await runInSlices(unifiedDiff(text, "", { path: patch.path, kind: "delete" }), view.checkpoint)).text;
}

/** Moves the link itself, unchanged. */
function moveLink(view: View, slot: DraftSlot, patch: UpdateFile, destination: DraftSlot): string {
  if (destination === slot) return "";
  if (isTaken(destination)) throw takenFault(patch);
  destination.draft = slot.draft;
  slot.draft = null;
  return `--- ${view.nameOf(slot.target.place)} moved to ${view.nameOf(destination.target.place)}\n`;
}

/** Checks that a file holds what the hunks of its deletion remove. For a link, checks its target. */
async function checkedText(
  view: View,
  { target }: DraftSlot,
  { bytes, source }: DraftFile,
  patch: DeleteFile,
): Promise<string> {
  const place = source?.isLink ? (await view.resolveTarget(source.path, "follow")).place : target.place;
  const checked = source?.isLink ? (await view.withFile(place, readWholeFile)).bytes : bytes;
  const file = await decodedFile(checked, patch.path);
  await runInSlices(applyFilePatch(view.searchableText(place, file.text).text, patch), view.checkpoint);
  return file.text;
}

async function draftUpdate(
  view: View,
  slot: DraftSlot,
  patch: UpdateFile,
  destination: DraftSlot,
  version: string | undefined,
): Promise<string> {
  const file = draftFileOf(slot, patch.path);
  if (destination !== slot && isTaken(destination)) throw takenFault(patch);
  const there = { bytes: file.bytes, version: file.source?.version };
  const base = await mergeBaseOf(view, slot.target.place, there, version);
  const decoded = await decodedFile(base.bytes, patch.path);
  const searchable = view.searchableText(slot.target.place, decoded.text);
  const { splices, bytes, diff, lines } = await runInSlices(patchSteps(decoded, searchable, patch), view.checkpoint);
  const fresh = splices.length === 0 ? file.bytes : await base.merge(bytes);
  slot.draft = null;
  destination.draft = {
    source: file.source,
    bytes: fresh,
    mode: patch.mode ?? file.mode,
    lines: sumOf(file.lines, lines),
    notes: [...(file.notes ?? []), ...base.notes],
  };
  return diff;
}

/** Applies the hunks in slices, so that a large file does not block other calls. */
function* patchSteps(
  file: DecodedFile,
  searchable: SearchableText,
  patch: UpdateFile,
): SlicedWork<Respliced & { readonly splices: readonly Splice[] }> {
  const plan = yield* applyFilePatch(searchable.text, patch);
  const splices = yield* realSplices(plan.splices, searchable);
  return { splices, ...(yield* applySplices(file, splices, patch.to ?? patch.path, patch.path)) };
}

/** Adds up the line counts of several sections for one file. */
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

/** Refuses a file whose parent directory would be another file of the patch. */
function requireDirectories({ draft, path, target }: DraftSlot, slots: ReadonlyMap<SafePath, DraftSlot>): void {
  const file = draft && target.missing.map((place) => slots.get(place)).find((above) => above?.draft);
  if (!file) return;
  const state = `the patch makes ${JSON.stringify(file.path)} a file, not a directory`;
  const hint = "Choose another name for one of them";
  throw new Fault("not_a_directory", `Cannot make ${JSON.stringify(path)}: ${state}`, { path, hint });
}

/** A slot in the order of execution. */
interface OrderedSlot extends DraftSlot {
  /** The file on disk when this slot is executed. */
  readonly present: Source | null;
  /** Is true if the source of the draft has been overwritten by then. */
  readonly isSourceReplaced: boolean;
}

/**
 * Orders the slots depth first, so that a file leaves its path before another file arrives there. If files move in a
 * cycle, one of them has to come after its source was overwritten.
 */
function inOrder(slots: readonly DraftSlot[]): readonly OrderedSlot[] {
  const successors = new Map(slots.map((slot) => [slot.draft?.source, slot]));
  const visited = new Set<DraftSlot>();
  const done = new Map<SafePath, OrderedSlot>();
  const place = (slot: DraftSlot): void => {
    if (visited.has(slot)) return;
    visited.add(slot);
    const { original, draft, target } = slot;
    const successor = original ? successors.get(original) : undefined;
    if (successor) place(successor);
    const present = successor && done.has(successor.target.place) ? null : original;
    const isLate = draft?.source ? done.has(draft.source.place) : false;
    done.set(target.place, { ...slot, present, isSourceReplaced: isLate });
  };
  for (const slot of slots) place(slot);
  return [...done.values()];
}

/** Returns the changes of one slot. A slot that starts and ends empty needs none. */
function changesOf({ target, draft, present, isSourceReplaced }: OrderedSlot): readonly Change[] {
  const { place } = target;
  const expect = present?.version ?? null;
  if (!draft) return present ? [{ kind: "remove", path: place, expect, into: "trash" }] : [];
  const { source, bytes, mode } = draft;
  if (!source && present?.isLink)
    return [{ kind: "remove", path: place, expect, into: "trash" }, writeOf(draft, place, null)];
  if (!source) return [...mkdirMissingParents(target), writeOf(draft, place, present)];
  if (isSourceReplaced && source.isLink) throw cycleFault(source);
  if (isSourceReplaced)
    return [
      { kind: "write", path: place, content: bytes, expect, mode: mode ?? source.facts.mode, movedFrom: source.place },
    ];
  const edits = editsOf(draft, source);
  if (source.place === place) return edits;
  const moved: Change = { kind: "move", path: source.place, to: place, replaces: expect };
  return [...mkdirMissingParents(target), ...edits, edits.length > 0 ? moved : { ...moved, expect: source.version }];
}

const cycleFault = ({ path }: Source): Fault =>
  new Fault("invalid_input", `Cannot move the link ${JSON.stringify(path)}: the patch moves files in a circle`, {
    path,
    hint: "Move the link with the tool move first",
  });

/** Changes a file before it is moved, so that it keeps its owner and mode. */
function editsOf(file: DraftFile, source: Source): readonly Change[] {
  const { place: path, version: expect } = source;
  if (file.bytes !== source.bytes) return [writeOf(file, path, source)];
  return file.mode === undefined ? [] : [{ kind: "chmod", path, mode: file.mode, expect }];
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
