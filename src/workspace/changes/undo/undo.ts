import { LIMITS } from "../../../base/limits.ts";
import { runInSlices } from "../../../base/time-slicing.ts";
import { parentOf } from "../../../base/paths.ts";
import { versionOfBytes } from "../../../base/version.ts";
import type { ObjectName } from "../../../storage/writer.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { VerbForms } from "../../../text/verb-forms.ts";
import { lineFeedIn } from "../../../text/encoding/detect.ts";
import { mergeBytes } from "../../../text/diff/merge.ts";
import { quoted } from "../../../text/quote.ts";
import { createOverlayTree } from "./overlay-tree.ts";
import {
  type Change,
  type ChangeRecord,
  type Effect,
  type FileState,
  alteredWithin,
  isAt,
  type WriteContent,
} from "../change.ts";
import { hasContentOf } from "./content.ts";
import {
  contentAt,
  type PlannedState,
  willHoldEntries,
  isSameState,
  type StateAt,
  stateAt,
  type PlannedChanges,
} from "./planned-state.ts";
import { whyNotRestorable, BACKUP_GONE } from "./damage.ts";
import { reasonMissing } from "./missing-reason.ts";
import { isTreeUnchanged } from "./tree-comparison.ts";
import { NO_COPY, uncopiedNotes } from "./uncopied-notes.ts";
import type { View } from "../../view.ts";

/** Says why something cannot be undone. */
export interface Conflict {
  readonly path: string;
  readonly reason: string;
  /** Lists the changes that it blocks, newest first. */
  readonly changes: readonly string[];
}

export interface UndoPlan {
  readonly changes: readonly Change[];
  readonly conflicts: readonly Conflict[];
  /** Says in words what happens to each file. */
  readonly files: readonly { readonly path: string; readonly action: VerbForms }[];
  /** Holds notices for the user. */
  readonly notes: readonly string[];
}

/** Plans the changes that undo some records, given newest first. With `only`, undoes them at that path and below. */
export async function planUndo(
  records: readonly ChangeRecord[],
  only: SafePath | undefined,
  view: View,
): Promise<UndoPlan> {
  const context: UndoContext = { view, tree: createOverlayTree(), planned: [], conflicts: [], uncopied: [] };
  for (const record of records) {
    const recorded = [...record.effects.entries()].map(([nth, effect]): RecordedEffect => ({
      ...effect,
      changeId: record.id,
      nth,
    }));
    const effects = alteredWithin(record, recorded, only);
    for (const effect of effects.toReversed()) {
      await view.checkpoint();
      await undoEffect(context, effect, records.length === 1 && effects.length === 1);
    }
  }
  const { planned, conflicts, uncopied } = context;
  // Where nothing else is left to undo, that is the reason why.
  if (planned.length === 0) for (const effect of uncopied) addConflict(context, effect, effect.path, NO_COPY);
  const lines = planned.filter(({ changes }) => changes.some(({ kind }) => kind !== "mkdir"));
  const files = lines.map(({ path, action }) => ({ path: view.nameOf(path), action }));
  const notes = [...lines.flatMap(({ note }) => note ?? []), ...uncopiedNotes(view, uncopied)];
  return { changes: planned.flatMap(({ changes }) => changes), conflicts, files, notes };
}

interface UndoContext extends PlannedState {
  readonly planned: PlannedFile[];
  readonly conflicts: Conflict[];
  /** Lists effects that cannot be undone, or not completely: a command made them, and no copy was kept before. */
  readonly uncopied: RecordedEffect[];
}

/** Lists the changes for one path, and the words that report them. */
interface PlannedFile extends PlannedChanges {
  readonly path: SafePath;
  action: VerbForms;
  note?: string;
}

/** An effect with its change and its index in it. */
interface RecordedEffect extends Effect {
  readonly changeId: string;
  readonly nth: number;
}

async function undoEffect(context: UndoContext, effect: RecordedEffect, isAlone: boolean): Promise<void> {
  if (effect.uncopied) context.uncopied.push(effect);
  if (effect.uncopied && effect.before?.object === undefined) return;
  switch (effect.action) {
    case "create":
      return effect.after?.kind === "directory" ? undoArrival(context, effect) : undoCreate(context, effect);
    case "copy":
    case "restore":
      return undoArrival(context, effect);
    case "replace":
    case "append":
      return writeBack(context, effect);
    case "move":
      return moveBack(context, effect);
    case "delete":
      return restoreRemoved(context, effect);
    case "mkdir":
      return removeDirectory(context, effect, isAlone);
    case "chmod":
      return setModeBack(context, effect);
  }
}

function addPlan({ planned }: UndoContext, path: SafePath, action: VerbForms, ...changes: Change[]): PlannedFile {
  const line: PlannedFile = { path, action, changes };
  planned.push(line);
  return line;
}

/** Reports a conflict once, even if it blocks several changes. */
function addConflict(
  { view, conflicts }: UndoContext,
  { changeId }: RecordedEffect,
  path: SafePath,
  reason: string,
): void {
  const name = view.nameOf(path);
  const nth = conflicts.findIndex((each) => each.path === name && each.reason === reason);
  const known = conflicts[nth]?.changes ?? [];
  const conflict = { path: name, reason, changes: known.includes(changeId) ? known : [...known, changeId] };
  conflicts.splice(nth < 0 ? conflicts.length : nth, 1, conflict);
}

async function undoCreate(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, after, source } = effect;
  const now = await stateAt(context, path);
  if (!now) return;
  if (!(await hasContentOf(context, path, after)))
    return addConflict(context, effect, path, "it was changed since it was created");
  // An object that goes back to the store may be restored once more, so its planned write stays.
  if (source === undefined) dropPlannedWrite(context, path);
  const found = await stateAt(context, path);
  if (!found) return;
  addPlan(context, path, "Removed", { kind: "remove", path, expect: found.expect, into: source ?? "history" });
  if (source === undefined) context.tree.remove(path);
  else context.tree.move(path, source);
}

/** Drops a planned write for a file that is removed or replaced anyway. */
function dropPlannedWrite({ tree }: UndoContext, path: SafePath): void {
  const by = tree.at(path)?.made?.by;
  if (!by) return;
  by.changes = by.changes.filter(({ kind }) => kind !== "write");
  tree.make(path, undefined);
}

/**
 * Removes a copied or restored tree as a whole, if nothing in it was changed since; then restores what it had replaced.
 */
async function undoArrival(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, after, before, changeId, nth } = effect;
  const now = await stateAt(context, path);
  const recorded = { place: path, fingerprint: after?.fingerprint, changeId, nth };
  const isUnchanged =
    !now || ((await hasContentOf(context, path, after)) && (await isTreeUnchanged(context, path, recorded)));
  if (!isUnchanged) return addConflict(context, effect, path, "it was changed since");
  if (now) await undoCreate(context, effect);
  if (before) await restoreRemoved(context, effect);
}

async function writeBack(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, before, after } = effect;
  const now = await stateAt(context, path);
  if (isSameState(now, before)) return;
  if (!now) return rewriteMissing(context, effect);
  if (now.kind !== "file") return addConflict(context, effect, path, "it is no longer a file");
  const isUnchanged = await hasContentOf(context, path, after);
  if (isUnchanged && before?.object !== undefined) return writeObject(context, effect, before.object);
  const isTooLarge = effect.action === "append" && now.size > LIMITS.editBytes;
  if (isUnchanged && isTooLarge && before)
    return overwrite(context, path, "Brought back", before, { size: before.size });
  const content = await mergedBack(context, effect, isUnchanged);
  if (typeof content === "string") return addConflict(context, effect, path, content);
  const image = { ...(before ?? now), version: versionOfBytes(content), size: content.length };
  await overwrite(context, path, isUnchanged ? "Brought back" : "Merged", image, content);
}

/** Restores the old content to a path that another program has left empty. */
async function rewriteMissing(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, before, changeId } = effect;
  const missing = await reasonMissing(context.view, path, changeId);
  const object = before?.object;
  if (!before || object === undefined || missing.isOurs) return addConflict(context, effect, path, missing.reason);
  const damage = await whyNotRestorable(context, effect);
  if (damage !== undefined) return addConflict(context, effect, path, damage);
  const needed = await missingParents(context, path);
  if (!needed) return addConflict(context, effect, path, NO_DIRECTORY);
  const isLarge = before.size > LIMITS.editBytes;
  const change: Change = isLarge
    ? { kind: "restore", object, path, replaces: null }
    : { kind: "write", path, content: object, expect: null, mode: before.mode };
  const line = addPlan(context, path, "Brought back", ...needed, change);
  line.note = `${quoted(context.view.nameOf(path))}: ${missing.reason}; its content from before the change is restored`;
  if (isLarge) assumeRestored(context, path, before, object);
  else context.tree.make(path, { image: before, content: object, by: line });
}

/** Writes a file once, however many of its changes are undone: the last content counts. */
async function overwrite(
  context: UndoContext,
  path: SafePath,
  action: VerbForms,
  image: FileState,
  content: WriteContent,
): Promise<void> {
  const { tree } = context;
  const by = tree.at(path)?.made?.by as PlannedFile | undefined;
  const expect = (await stateAt(context, path))?.expect;
  const line = by ?? addPlan(context, path, action, { kind: "write", path, content, expect, mode: image.mode });
  if (by)
    line.changes = by.changes.map((each) => (each.kind === "write" ? { ...each, content, mode: image.mode } : each));
  if (action === "Merged") line.action = action;
  tree.make(path, { image, content, by: line });
}

async function writeObject(context: UndoContext, effect: RecordedEffect, object: ObjectName): Promise<void> {
  const { path, before } = effect;
  const damage = await whyNotRestorable(context, effect);
  if (damage !== undefined) return addConflict(context, effect, path, damage);
  if (!before) return;
  if (before.size > LIMITS.editBytes) return restoreLarge(context, path, before, object);
  await overwrite(context, path, "Brought back", before, object);
}

/**
 * Moves a large file back from the store; a small one is copied: its backup stays, so that diffs can still be shown.
 */
async function restoreLarge(
  context: UndoContext,
  path: SafePath,
  before: FileState,
  object: ObjectName,
): Promise<void> {
  dropPlannedWrite(context, path);
  const replaces = (await stateAt(context, path))?.expect;
  addPlan(context, path, "Brought back", { kind: "restore", object, path, replaces });
  assumeRestored(context, path, before, object);
}

/** Assumes the recorded state for a restored file, whatever times it will get. */
function assumeRestored({ tree }: UndoContext, path: SafePath, before: FileState, object: ObjectName): void {
  tree.move(object, path);
  if (before.kind !== "directory") tree.make(path, { image: before });
}

/** Merges later changes in other lines into the old content, or says why that is not possible. */
async function mergedBack(
  context: UndoContext,
  effect: RecordedEffect,
  isUnchanged: boolean,
): Promise<Uint8Array | string> {
  const { path, before, after, action } = effect;
  const { view } = context;
  const theirs = await contentAt(context, path);
  if (!theirs) return BACKUP_GONE;
  const base = isUnchanged ? theirs : await view.contentOfVersion(after?.version ?? "");
  if (!base) return "it was changed since, by another program";
  const damage = action === "append" ? undefined : await whyNotRestorable(context, effect);
  if (damage !== undefined) return damage;
  const kept = before?.object === undefined ? null : await view.history.contentOf(before.object);
  const ours = action === "append" ? base.subarray(0, before?.size) : kept;
  if (!ours) return BACKUP_GONE;
  const merge = await runInSlices(mergeBytes(base, ours, theirs, lineFeedIn(base)), view.checkpoint);
  if (merge.kind === "merged") return merge.bytes;
  const lines = merge.regions.slice(0, LIMITS.placesListed).map(({ line }) => line);
  return `the same lines were changed since: line ${lines.join(", ")}`;
}

/** Recognises a moved file by its inode, which may have been edited since, by its content, or by an edit of ours. */
async function moveBack(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, from, before, after } = effect;
  const now = await stateAt(context, path);
  if (from === undefined || !after) return;
  const old = await stateAt(context, from);
  if (old?.identity === after.identity) return;
  if (!now && before) return restoreReplaced(context, effect);
  const isMovedFile =
    now &&
    (now.identity === after.identity ||
      (await hasContentOf(context, path, after)) ||
      (await isEdited(context, path, now)));
  if (!now || !isMovedFile) return addConflict(context, effect, path, "it was moved, replaced or deleted since");
  if (old) return addConflict(context, effect, from, "something else is there now");
  const needed = await missingParents(context, from);
  if (!needed) return addConflict(context, effect, from, NO_DIRECTORY);
  addPlan(context, from, "Moved back", ...needed, { kind: "move", path, to: from, expect: now.expect, replaces: null });
  context.tree.move(path, from);
  if (before) await restoreRemoved(context, effect);
}

/** Restores what a move had replaced, even where another program removed the moved file. */
async function restoreReplaced(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, changeId } = effect;
  const missing = await reasonMissing(context.view, path, changeId);
  if (missing.isOurs) return addConflict(context, effect, path, missing.reason);
  await restoreRemoved(context, effect);
  const line = context.planned.at(-1);
  if (line?.path === path)
    line.note = `${quoted(context.view.nameOf(path))}: ${missing.reason}; only what the move replaced is restored`;
}

/** Checks that the file was written by an edit of ours, which replaces the inode. */
async function isEdited({ view }: UndoContext, path: SafePath, { identity }: NonNullable<StateAt>): Promise<boolean> {
  for await (const { effects } of view.history.records(view.checkpoint, path)) {
    const last = effects.findLast((effect) => isAt(effect, path));
    if (last) return last.action === "replace" && last.after?.identity === identity;
  }
  return false;
}

/** Restores what an effect removed. */
async function restoreRemoved(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, before } = effect;
  const now = await stateAt(context, path);
  if (isSameState(now, before)) return;
  if (now) return addConflict(context, effect, path, "something else is there now");
  const object = before?.object;
  if (!before || object === undefined) return addConflict(context, effect, path, "it was deleted for good");
  const damage = await whyNotRestorable(context, effect);
  if (damage !== undefined) return addConflict(context, effect, path, damage);
  const needed = await missingParents(context, path);
  if (!needed) return addConflict(context, effect, path, NO_DIRECTORY);
  addPlan(context, path, "Brought back", ...needed, { kind: "restore", object, path, replaces: null });
  assumeRestored(context, path, before, object);
}

/** Plans directories that no longer exist; returns null where something else has the name of one. */
async function missingParents(context: UndoContext, path: SafePath): Promise<readonly Change[] | null> {
  const parent = parentOf(path) as SafePath;
  if (context.view.roots.some(({ real }) => real === parent)) return [];
  const now = await stateAt(context, parent);
  if (now) return now.kind === "directory" ? [] : null;
  const needed = await missingParents(context, parent);
  if (!needed) return null;
  context.tree.make(parent, { image: NEW_DIRECTORY });
  return [...needed, { kind: "mkdir", path: parent }];
}

const NO_DIRECTORY = "something else has the name of its directory";

const NEW_DIRECTORY: FileState = { kind: "directory", version: "", size: 0, mode: 0, modifiedMs: 0, identity: "" };

/** Keeps a directory that is in use by now, unless it is all that was asked for. */
async function removeDirectory(context: UndoContext, effect: RecordedEffect, isAlone: boolean): Promise<void> {
  const { path } = effect;
  if ((await stateAt(context, path))?.kind !== "directory") return;
  const isUsed = await willHoldEntries(context, path);
  if (isUsed && isAlone) return addConflict(context, effect, path, "it is in use: it is not empty");
  if (isUsed) return;
  addPlan(context, path, "Removed", { kind: "remove", path, into: "history", unlessInUse: true });
  context.tree.remove(path);
}

async function setModeBack(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, before, after } = effect;
  const now = await stateAt(context, path);
  if (!before || now?.mode === before.mode) return;
  if (!now)
    return addConflict(context, effect, path, (await reasonMissing(context.view, path, effect.changeId)).reason);
  if (now.mode !== after?.mode) return addConflict(context, effect, path, "its permissions were changed since");
  const { tree } = context;
  const { mode } = before;
  const made = tree.at(path)?.made;
  if (made?.by) made.by.changes = made.by.changes.map((each) => (each.kind === "write" ? { ...each, mode } : each));
  else addPlan(context, path, "Permissions set back", { kind: "chmod", path, mode });
  tree.make(path, { ...made, image: { ...now, mode } });
}
