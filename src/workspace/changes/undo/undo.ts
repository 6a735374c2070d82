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
import { type Change, type ChangeRecord, type Effect, type FileState, isAt, type WriteContent } from "../change.ts";
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
import { damageOf, BACKUP_GONE } from "./damage.ts";
import { reasonMissing } from "./missing-reason.ts";
import { isTreeUnchanged } from "./tree-comparison.ts";
import type { View } from "../../view.ts";

/** Why something cannot be taken back. */
export interface Conflict {
  readonly path: string;
  readonly reason: string;
  /** The changes that it stops, newest first. */
  readonly changes: readonly string[];
}

export interface UndoPlan {
  readonly changes: readonly Change[];
  readonly conflicts: readonly Conflict[];
  /** What happens to each file, in words. */
  readonly files: readonly { readonly path: string; readonly action: VerbForms }[];
  /** What the user may not expect. */
  readonly notes: readonly string[];
}

/** What takes back these changes, given newest first; only at one place, if it is named. */
export async function planUndo(
  records: readonly ChangeRecord[],
  only: SafePath | undefined,
  view: View,
): Promise<UndoPlan> {
  const context: UndoContext = { view, tree: createOverlayTree(), planned: [], conflicts: [] };
  for (const record of records) {
    const done = [...record.effects.entries()].map(([nth, effect]): RecordedEffect => ({
      ...effect,
      changeId: record.id,
      nth,
    }));
    const effects = done.filter((effect) => only === undefined || isAt(effect, only));
    for (const effect of effects.toReversed()) {
      await view.checkpoint();
      await undoEffect(context, effect, records.length === 1 && effects.length === 1);
    }
  }
  const { planned, conflicts } = context;
  const lines = planned.filter(({ changes }) => changes.some(({ kind }) => kind !== "mkdir"));
  const files = lines.map(({ path, action }) => ({ path: view.nameOf(path), action }));
  const notes = lines.flatMap(({ note }) => note ?? []);
  return { changes: planned.flatMap(({ changes }) => changes), conflicts, files, notes };
}

interface UndoContext extends PlannedState {
  readonly planned: PlannedLine[];
  readonly conflicts: Conflict[];
}

/** What is planned for one place, and how that is told. */
interface PlannedLine extends PlannedChanges {
  readonly path: SafePath;
  action: VerbForms;
  note?: string;
}

/** An effect, and which one of which change. */
interface RecordedEffect extends Effect {
  readonly changeId: string;
  readonly nth: number;
}

async function undoEffect(context: UndoContext, effect: RecordedEffect, isAlone: boolean): Promise<void> {
  switch (effect.action) {
    case "create":
      return undoCreate(context, effect);
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

function plan({ planned }: UndoContext, path: SafePath, action: VerbForms, ...changes: Change[]): PlannedLine {
  const line: PlannedLine = { path, action, changes };
  planned.push(line);
  return line;
}

/** What stops several changes is told once. */
function refuse({ view, conflicts }: UndoContext, { changeId }: RecordedEffect, path: SafePath, reason: string): void {
  const name = view.nameOf(path);
  const nth = conflicts.findIndex((each) => each.path === name && each.reason === reason);
  const known = conflicts[nth]?.changes ?? [];
  const conflict = { path: name, reason, changes: known.includes(changeId) ? known : [...known, changeId] };
  conflicts.splice(nth < 0 ? conflicts.length : nth, 1, conflict);
}

async function undoCreate(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, after, source } = effect;
  const now = stateAt(context, path);
  if (!now) return;
  if (!(await hasContentOf(context, path, after)))
    return refuse(context, effect, path, "it was changed since it was made");
  // What goes back to where it came from may be brought back once more.
  if (source === undefined) forgetWrite(context, path);
  const found = stateAt(context, path);
  if (!found) return;
  plan(context, path, "Removed", { kind: "remove", path, expect: found.expect, into: source ?? "history" });
  if (source === undefined) context.tree.remove(path);
  else context.tree.move(path, source);
}

/** Of a file that goes, or that another one replaces, nothing need be written before. */
function forgetWrite({ tree }: UndoContext, path: SafePath): void {
  const by = tree.at(path)?.made?.by;
  if (!by) return;
  by.changes = by.changes.filter(({ kind }) => kind !== "write");
  tree.make(path, undefined);
}

/** What came as a whole goes as a whole, if nothing in it was touched since; then what it replaced comes back. */
async function undoArrival(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, after, before, changeId, nth } = effect;
  const now = stateAt(context, path);
  const left = { place: path, fingerprint: after?.fingerprint, changeId, nth };
  const isLeft = !now || ((await hasContentOf(context, path, after)) && (await isTreeUnchanged(context, path, left)));
  if (!isLeft) return refuse(context, effect, path, "it was changed since");
  if (now) await undoCreate(context, effect);
  if (before) await restoreRemoved(context, effect);
}

async function writeBack(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, before, after } = effect;
  const now = stateAt(context, path);
  if (isSameState(now, before)) return;
  if (!now) return writeAgain(context, effect);
  if (now.kind !== "file") return refuse(context, effect, path, "it is no file any more");
  const isLeft = await hasContentOf(context, path, after);
  if (isLeft && before?.object !== undefined) return writeObject(context, effect, before.object);
  const isTooLarge = effect.action === "append" && now.size > LIMITS.editBytes;
  if (isLeft && isTooLarge && before) return overwrite(context, path, "Brought back", before, { size: before.size });
  const content = await mergedBack(context, effect, isLeft);
  if (typeof content === "string") return refuse(context, effect, path, content);
  const image = { ...(before ?? now), version: versionOfBytes(content), size: content.length };
  overwrite(context, path, isLeft ? "Brought back" : "Merged", image, content);
}

/** Where another program took away what a change left, what the change replaced comes back to the free place. */
async function writeAgain(undoing: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, before, changeId } = effect;
  const missing = await reasonMissing(undoing.view, path, changeId);
  const object = before?.object;
  if (!before || object === undefined || missing.isOurs) return refuse(undoing, effect, path, missing.reason);
  const damage = await damageOf(undoing, effect);
  if (damage !== undefined) return refuse(undoing, effect, path, damage);
  const needed = missingParents(undoing, path);
  if (!needed) return refuse(undoing, effect, path, NO_DIRECTORY);
  const isLarge = before.size > LIMITS.editBytes;
  const change: Change = isLarge
    ? { kind: "restore", object, path, replaces: null }
    : { kind: "write", path, content: object, expect: null, mode: before.mode };
  const line = plan(undoing, path, "Brought back", ...needed, change);
  line.note = `${quoted(undoing.view.nameOf(path))}: ${missing.reason}; what it was before the change is there again`;
  if (isLarge) assumeRestored(undoing, path, before, object);
  else undoing.tree.make(path, { image: before, content: object, by: line });
}

/** A file is written once, however many changes of it are taken back: the last content counts. */
function overwrite(
  context: UndoContext,
  path: SafePath,
  action: VerbForms,
  image: FileState,
  content: WriteContent,
): void {
  const { tree } = context;
  const by = tree.at(path)?.made?.by as PlannedLine | undefined;
  const expect = stateAt(context, path)?.expect;
  const line = by ?? plan(context, path, action, { kind: "write", path, content, expect, mode: image.mode });
  if (by)
    line.changes = by.changes.map((each) => (each.kind === "write" ? { ...each, content, mode: image.mode } : each));
  if (action === "Merged") line.action = action;
  tree.make(path, { image, content, by: line });
}

async function writeObject(context: UndoContext, effect: RecordedEffect, object: ObjectName): Promise<void> {
  const { path, before } = effect;
  const damage = await damageOf(context, effect);
  if (damage !== undefined) return refuse(context, effect, path, damage);
  if (!before) return;
  if (before.size > LIMITS.editBytes) return restoreLarge(context, path, before, object);
  overwrite(context, path, "Brought back", before, object);
}

/** A large file comes back as it is; a small one as a copy, so that its change can still be told from the next. */
function restoreLarge(context: UndoContext, path: SafePath, before: FileState, object: ObjectName): void {
  forgetWrite(context, path);
  const replaces = stateAt(context, path)?.expect;
  plan(context, path, "Brought back", { kind: "restore", object, path, replaces });
  assumeRestored(context, path, before, object);
}

/** What comes back is what it was, whatever its times will be. */
function assumeRestored({ tree }: UndoContext, path: SafePath, before: FileState, object: ObjectName): void {
  tree.move(object, path);
  if (before.kind !== "directory") tree.make(path, { image: before });
}

/** The old content with later changes in other lines on top, or why that cannot be made. */
async function mergedBack(context: UndoContext, effect: RecordedEffect, isLeft: boolean): Promise<Uint8Array | string> {
  const { path, before, after, action } = effect;
  const { view } = context;
  const theirs = await contentAt(context, path);
  if (!theirs) return BACKUP_GONE;
  const base = isLeft ? theirs : await view.recall(after?.version ?? "");
  if (!base) return "it was changed since, by another program";
  const damage = action === "append" ? undefined : await damageOf(context, effect);
  if (damage !== undefined) return damage;
  const kept = before?.object === undefined ? null : view.past.contentOf(before.object);
  const ours = action === "append" ? base.subarray(0, before?.size) : kept;
  if (!ours) return BACKUP_GONE;
  const merge = await runInSlices(mergeBytes(base, ours, theirs, lineFeedIn(base)), view.checkpoint);
  if (merge.kind === "merged") return merge.bytes;
  const lines = merge.regions.slice(0, LIMITS.placesListed).map(({ line }) => line);
  return `the same lines were changed since: line ${lines.join(", ")}`;
}

/** What moved is known by its identity, and changes in it move along; or by its content; or by an edit of ours. */
async function moveBack(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, from, before, after } = effect;
  const now = stateAt(context, path);
  if (from === undefined || !after) return;
  const old = stateAt(context, from);
  if (old?.identity === after.identity) return;
  if (!now && before) return bringReplaced(context, effect);
  const isIt =
    now &&
    (now.identity === after.identity ||
      (await hasContentOf(context, path, after)) ||
      (await isEdited(context, path, now)));
  if (!now || !isIt) return refuse(context, effect, path, "it was moved, replaced or deleted since");
  if (old) return refuse(context, effect, from, "something else is there now");
  const needed = missingParents(context, from);
  if (!needed) return refuse(context, effect, from, NO_DIRECTORY);
  plan(context, from, "Moved back", ...needed, { kind: "move", path, to: from, expect: now.expect, replaces: null });
  context.tree.move(path, from);
  if (before) await restoreRemoved(context, effect);
}

/** Where another program took away what was moved, what it had replaced comes back all the same. */
async function bringReplaced(undoing: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, changeId } = effect;
  const missing = await reasonMissing(undoing.view, path, changeId);
  if (missing.isOurs) return refuse(undoing, effect, path, missing.reason);
  await restoreRemoved(undoing, effect);
  const line = undoing.planned.at(-1);
  if (line?.path === path)
    line.note = `${quoted(undoing.view.nameOf(path))}: ${missing.reason}; only what the move replaced is there again`;
}

/** Whether what is there came about by an edit of ours, which replaces the object. */
async function isEdited({ view }: UndoContext, path: SafePath, { identity }: NonNullable<StateAt>): Promise<boolean> {
  for await (const { effects } of view.past.records(view.checkpoint)) {
    const last = effects.findLast((effect) => isAt(effect, path));
    if (last) return last.action === "replace" && last.after?.identity === identity;
  }
  return false;
}

/** Brings back what an effect took away. */
async function restoreRemoved(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, before } = effect;
  const now = stateAt(context, path);
  if (isSameState(now, before)) return;
  if (now) return refuse(context, effect, path, "something else is there now");
  const object = before?.object;
  if (!before || object === undefined) return refuse(context, effect, path, "it was deleted for good");
  const damage = await damageOf(context, effect);
  if (damage !== undefined) return refuse(context, effect, path, damage);
  const needed = missingParents(context, path);
  if (!needed) return refuse(context, effect, path, NO_DIRECTORY);
  plan(context, path, "Brought back", ...needed, { kind: "restore", object, path, replaces: null });
  assumeRestored(context, path, before, object);
}

/** Makes directories that have gone since again; null where something else has the place of one. */
function missingParents(context: UndoContext, path: SafePath): readonly Change[] | null {
  const parent = parentOf(path) as SafePath;
  if (context.view.roots.some(({ real }) => real === parent)) return [];
  const now = stateAt(context, parent);
  if (now) return now.kind === "directory" ? [] : null;
  const needed = missingParents(context, parent);
  if (!needed) return null;
  context.tree.make(parent, { image: NEW_DIRECTORY });
  return [...needed, { kind: "mkdir", path: parent }];
}

const NO_DIRECTORY = "something else has the place of its directory";

const NEW_DIRECTORY: FileState = { kind: "directory", version: "", size: 0, mode: 0, modifiedMs: 0, identity: "" };

/** A directory that others use by now stays, unless it was all that was asked for. */
async function removeDirectory(context: UndoContext, effect: RecordedEffect, isAlone: boolean): Promise<void> {
  const { path } = effect;
  if (stateAt(context, path)?.kind !== "directory") return;
  const isUsed = await willHoldEntries(context, path);
  if (isUsed && isAlone) return refuse(context, effect, path, "it is in use: it is not empty");
  if (isUsed) return;
  plan(context, path, "Removed", { kind: "remove", path, into: "history", unlessInUse: true });
  context.tree.remove(path);
}

async function setModeBack(context: UndoContext, effect: RecordedEffect): Promise<void> {
  const { path, before, after } = effect;
  const now = stateAt(context, path);
  if (!before || now?.mode === before.mode) return;
  if (!now) return refuse(context, effect, path, (await reasonMissing(context.view, path, effect.changeId)).reason);
  if (now.mode !== after?.mode) return refuse(context, effect, path, "its permissions were changed since");
  const { tree } = context;
  const { mode } = before;
  const made = tree.at(path)?.made;
  if (made?.by) made.by.changes = made.by.changes.map((each) => (each.kind === "write" ? { ...each, mode } : each));
  else plan(context, path, "Permissions set back", { kind: "chmod", path, mode });
  tree.make(path, { ...made, image: { ...now, mode } });
}
