import { LIMITS } from "../base/limits.ts";
import { childOf, isWithin, parentOf, wayFrom } from "../base/paths.ts";
import { versionOfBytes } from "../base/version.ts";
import type { ObjectName, Place, Sighting } from "../storage/hands.ts";
import { isPath } from "../storage/place.ts";
import type { SafePath } from "../storage/storage.ts";
import type { Done } from "../text/done.ts";
import { lineFeedIn } from "../text/detect-encoding.ts";
import { mergeBytes } from "../text/merge.ts";
import { type Change, type ChangeRecord, type Effect, type Expected, type Image, isAt } from "./change.ts";
import type { View } from "./view.ts";
import { readWhole } from "./whole-file.ts";

/** Why something cannot be taken back. */
export interface Conflict {
  readonly path: string;
  readonly reason: string;
}

export interface UndoPlan {
  readonly changes: readonly Change[];
  readonly conflicts: readonly Conflict[];
  /** What happens to each file, in words. */
  readonly files: readonly { readonly path: string; readonly action: Done }[];
}

/** What takes back these changes, given newest first; only at one place, if it is named. */
export async function planUndo(
  records: readonly ChangeRecord[],
  only: SafePath | undefined,
  view: View,
): Promise<UndoPlan> {
  const undoing: Undoing = { view, planned: [], changes: [], conflicts: [], files: [] };
  for (const record of records) {
    const effects = record.effects.filter((effect) => only === undefined || isAt(effect, only));
    for (const effect of effects.toReversed()) {
      await view.breathe();
      await takeBack(undoing, effect, records.length === 1 && effects.length === 1);
    }
  }
  return undoing;
}

interface Undoing {
  readonly view: View;
  /** What the changes so far leave at places, in their order. */
  readonly planned: { readonly at: Place; readonly image: Assumed | null }[];
  readonly changes: Change[];
  readonly conflicts: Conflict[];
  readonly files: { path: string; action: Done }[];
}

/** `expect` is what the commit has to find; undefined for what a change before it leaves: that is there, with new times. */
type Now = (Omit<Image, "object" | "fingerprint"> & { readonly expect: Expected }) | null;

/** What a planned change leaves at a place. */
interface Assumed extends Image {
  /** Its content, where it was made here. */
  readonly bytes?: Uint8Array;
  /** Where it came from, with all that is in it. */
  readonly source?: Place;
}

/**
 * What will be at a place after the changes so far. What lies in a directory that is brought back cannot be looked at
 * before that: there `presumed` holds, and the commit finds out.
 */
function nowAt(undoing: Undoing, place: SafePath, presumed: Image | null): Now {
  const found = whereabouts(undoing, place);
  if (found.image !== undefined) return found.image && { ...found.image, expect: undefined };
  if (!isPath(found.place)) return presumed && { ...presumed, expect: presumed.version };
  const seen: Sighting | null = undoing.view.see(found.place);
  return seen && { ...seen.facts, version: seen.version, expect: seen.version };
}

type Whereabouts = { readonly image: Assumed | null } | { readonly image?: undefined; readonly place: Place };

/** Where on the disk that is now which will be at a place; an image where a change says it all. */
function whereabouts({ planned }: Undoing, place: SafePath): Whereabouts {
  let now: Place = place;
  for (const { at, image } of planned.toReversed()) {
    if (at === now) return { image };
    if (!isWithin(now, at)) continue;
    if (image?.source === undefined) return { image: null };
    now = childOf<Place>(image.source, wayFrom(at, now));
  }
  return { place: now };
}

async function takeBack(undoing: Undoing, effect: Effect, isAlone: boolean): Promise<void> {
  switch (effect.action) {
    case "create":
      return removeAgain(undoing, effect);
    case "copy":
    case "restore":
      return takeAway(undoing, effect);
    case "replace":
    case "append":
      return writeBack(undoing, effect);
    case "move":
      return moveBack(undoing, effect);
    case "delete":
      return bringBack(undoing, effect.path, effect.before);
    case "mkdir":
      return removeDirectory(undoing, effect, isAlone);
    case "chmod":
      return setModeBack(undoing, effect);
  }
}

function plan(undoing: Undoing, path: SafePath, action: Done, after: Assumed | null, ...changes: Change[]): void {
  undoing.changes.push(...changes);
  undoing.planned.push({ at: path, image: after });
  undoing.files.push({ path: undoing.view.nameOf(path), action });
}

function refuse({ view, conflicts }: Undoing, path: SafePath, reason: string): void {
  conflicts.push({ path: view.nameOf(path), reason });
}

/** A large file is known by its times as well, and a rename changes one of them: it is still the same. */
function isSame(now: Now, image: Image | null): boolean {
  if (!now || !image) return !now && !image;
  const isObject = now.identity === image.identity && now.size === image.size && now.modifiedMs === image.modifiedMs;
  return now.version === image.version || (isObject && now.size > LIMITS.hashedBytes);
}

function removeAgain(undoing: Undoing, { path, after, source }: Effect): void {
  const now = nowAt(undoing, path, after);
  if (!now) return;
  if (!isSame(now, after)) return refuse(undoing, path, "it was changed since it was made");
  if (source !== undefined) undoing.planned.push({ at: source, image: after && { ...after, source: path } });
  plan(undoing, path, "Removed", null, { kind: "remove", path, expect: now.expect, into: source ?? "history" });
}

/** What came as a whole goes as a whole, if nothing in it was touched since; then what it replaced comes back. */
function takeAway(undoing: Undoing, effect: Effect): void {
  const { path, after, before } = effect;
  const now = nowAt(undoing, path, after);
  if (now && (isTouched(undoing, path, after) || !isSame(now, after)))
    return refuse(undoing, path, "it was changed since");
  if (now) removeAgain(undoing, effect);
  if (before) bringBack(undoing, path, before);
}

function isTouched(undoing: Undoing, path: SafePath, after: Image | null): boolean {
  const found = whereabouts(undoing, path);
  const place = found.image === undefined ? found.place : found.image?.source;
  if (after?.fingerprint === undefined || place === undefined || !isPath(place)) return false;
  return after.fingerprint !== undoing.view.fingerprint(place, LIMITS.fingerprinted);
}

async function writeBack(undoing: Undoing, effect: Effect): Promise<void> {
  const { path, before, after } = effect;
  const now = nowAt(undoing, path, after);
  if (isSame(now, before)) return;
  if (now?.kind !== "file") return refuse(undoing, path, now ? "it is no file any more" : "it was deleted since");
  if (isSame(now, after) && before?.object !== undefined) return writeObject(undoing, path, before, now.expect);
  const isTooLarge = effect.action === "append" && now.size > LIMITS.editBytes;
  if (isSame(now, after) && isTooLarge) return cutBack(undoing, path, before, now.expect);
  const content = await mergedBack(undoing, effect, now);
  if (typeof content === "string") return refuse(undoing, path, content);
  const merged = before && { ...before, version: versionOfBytes(content), bytes: content };
  plan(undoing, path, isSame(now, after) ? "Brought back" : "Merged", merged, {
    kind: "write",
    path,
    content,
    expect: now.expect,
    mode: before?.mode,
  });
}

function writeObject(undoing: Undoing, path: SafePath, before: Image, expect: Expected): void {
  const { object, mode } = before;
  if (object === undefined || !isKept(undoing, object)) return refuse(undoing, path, GONE);
  if (before.size > LIMITS.editBytes) return restoreLarge(undoing, path, before, object, expect);
  plan(undoing, path, "Brought back", before, { kind: "write", path, content: object, expect, mode });
}

/** A large file comes back as it is; a small one as a copy, so that its change can still be told from the next. */
function restoreLarge(undoing: Undoing, path: SafePath, before: Image, object: ObjectName, replaces: Expected): void {
  plan(undoing, path, "Brought back", { ...before, source: object }, { kind: "restore", object, path, replaces });
  undoing.planned.push({ at: object, image: null });
}

/** What was appended to a file that is too large to be held goes again. */
function cutBack(undoing: Undoing, path: SafePath, before: Image | null, expect: Expected): void {
  const content = { size: before?.size ?? 0 };
  plan(undoing, path, "Brought back", before, { kind: "write", path, content, expect, mode: before?.mode });
}

function isKept({ planned, view }: Undoing, object: ObjectName): boolean {
  const last = planned.findLast(({ at }) => at === object);
  return last ? last.image !== null : view.past.see(object) !== null;
}

const GONE = "what was kept of it is gone";

/** The old content with later changes in other lines on top, or why that cannot be made. */
async function mergedBack(undoing: Undoing, effect: Effect, now: Now): Promise<Uint8Array | string> {
  const { path, before, after, action } = effect;
  const { view } = undoing;
  const theirs = await contentAt(undoing, path);
  if (!theirs) return GONE;
  const base = isSame(now, after) ? theirs : await view.recall(after?.version ?? "");
  if (!base) return "it was changed since, by another program";
  const ours = action === "append" ? base.subarray(0, before?.size) : contentOf(view, before);
  if (!ours) return GONE;
  const merge = mergeBytes(base, ours, theirs, lineFeedIn(base));
  if (merge.kind === "merged") return merge.bytes;
  const lines = merge.regions.slice(0, LIMITS.placesListed).map(({ line }) => line);
  return `the same lines were changed since: line ${lines.join(", ")}`;
}

async function contentAt(undoing: Undoing, path: SafePath): Promise<Uint8Array | null> {
  const { view } = undoing;
  const found = whereabouts(undoing, path);
  if (found.image !== undefined) return found.image?.bytes ?? contentOf(view, found.image);
  if (!isPath(found.place)) return null;
  return (await view.withFile(found.place, readWhole)).bytes;
}

const contentOf = (view: View, image: Image | null): Uint8Array | null =>
  image?.object === undefined ? null : view.past.contentOf(image.object);

/** What moved is known by its identity, and changes in it move along; or by its content; or by an edit of ours. */
async function moveBack(undoing: Undoing, { path, from, before, after }: Effect): Promise<void> {
  const now = nowAt(undoing, path, after);
  if (from === undefined || !after) return;
  const old = nowAt(undoing, from, null);
  if (old?.identity === after.identity) return;
  const isIt = now && (now.identity === after.identity || isSame(now, after) || (await isEdited(undoing, path, now)));
  if (!now || !isIt) return refuse(undoing, path, "it was moved, replaced or deleted since");
  if (old) return refuse(undoing, from, "something else is there now");
  const needed = above(undoing, from);
  const moved: Change = { kind: "move", path, to: from, expect: now.expect, replaces: null };
  plan(undoing, from, "Moved back", { ...now, source: path }, ...needed, moved);
  undoing.planned.push({ at: path, image: null });
  if (before) bringBack(undoing, path, before);
}

/** Whether what is there came about by an edit of ours, which replaces the object. */
async function isEdited({ view }: Undoing, path: SafePath, { identity }: NonNullable<Now>): Promise<boolean> {
  for await (const { effects } of view.past.records(view.breathe)) {
    const last = effects.findLast((effect) => isAt(effect, path));
    if (last) return last.action === "replace" && last.after?.identity === identity;
  }
  return false;
}

function bringBack(undoing: Undoing, path: SafePath, before: Image | null): void {
  const now = nowAt(undoing, path, null);
  if (isSame(now, before)) return;
  if (now) return refuse(undoing, path, "something else is there now");
  const object = before?.object;
  if (!before || object === undefined) return refuse(undoing, path, "it was deleted for good");
  if (!isKept(undoing, object)) return refuse(undoing, path, GONE);
  const needed = above(undoing, path);
  plan(undoing, path, "Brought back", { ...before, source: object }, ...needed, {
    kind: "restore",
    object,
    path,
    replaces: null,
  });
  undoing.planned.push({ at: object, image: null });
}

/** Directories that have gone since are made again. */
function above(undoing: Undoing, path: SafePath): readonly Change[] {
  const parent = parentOf(path) as SafePath;
  if (undoing.view.roots.some(({ real }) => real === parent) || nowAt(undoing, parent, null)) return [];
  return [...above(undoing, parent), { kind: "mkdir", path: parent }];
}

/** A directory that others use by now stays, unless it was all that was asked for. */
async function removeDirectory(undoing: Undoing, { path, after }: Effect, isAlone: boolean): Promise<void> {
  if (nowAt(undoing, path, after)?.kind !== "directory") return;
  const isUsed = await isInUse(undoing, path);
  if (isUsed && isAlone) return refuse(undoing, path, "it is in use: it is not empty");
  if (!isUsed) plan(undoing, path, "Removed", null, { kind: "remove", path, into: "history", unlessInUse: true });
}

/** Whether it holds something that stays. One that is only brought back cannot be looked into: the commit finds out. */
async function isInUse(undoing: Undoing, path: SafePath): Promise<boolean> {
  const found = whereabouts(undoing, path);
  if (found.image !== undefined || !isPath(found.place)) return false;
  const entries = await undoing.view.withDirectory(found.place, (directory) => directory.entries());
  return entries.some(({ name }) => nowAt(undoing, childOf(path, name), null) !== null);
}

function setModeBack(undoing: Undoing, { path, before, after }: Effect): void {
  const now = nowAt(undoing, path, after);
  if (!before || now?.mode === before.mode) return;
  if (now?.mode !== after?.mode) return refuse(undoing, path, "its permissions were changed since");
  plan(undoing, path, "Permissions set back", { ...before, source: path }, { kind: "chmod", path, mode: before.mode });
}
