import { LIMITS } from "../base/limits.ts";
import { childOf, parentOf } from "../base/paths.ts";
import { versionOfBytes } from "../base/version.ts";
import type { ObjectName, Place, Sighting } from "../storage/hands.ts";
import type { SafePath } from "../storage/storage.ts";
import { mergeBytes } from "../text/merge.ts";
import { type Change, type ChangeRecord, type Effect, type Expected, type Image, isAt } from "./change.ts";
import { readWhole } from "./reading.ts";
import type { View } from "./view.ts";

/** Why something cannot be taken back. */
export interface Conflict {
  readonly path: string;
  readonly reason: string;
}

export interface UndoPlan {
  readonly changes: readonly Change[];
  readonly conflicts: readonly Conflict[];
  /** What happens to each file, in words. */
  readonly files: readonly { readonly path: string; readonly action: string }[];
}

/** What takes back these changes, given newest first; only at one place, if it is named. */
export async function planUndo(
  records: readonly ChangeRecord[],
  only: SafePath | undefined,
  view: View,
): Promise<UndoPlan> {
  const undoing: Undoing = { view, assumed: new Map(), changes: [], conflicts: [], files: [] };
  for (const record of records) {
    const effects = record.effects.filter((effect) => only === undefined || isAt(effect, only));
    for (const effect of effects.toReversed()) {
      await view.breathe();
      await takeBack(undoing, effect, effects.length === 1);
    }
  }
  return undoing;
}

interface Undoing {
  readonly view: View;
  /** What will be at a place after the changes so far. */
  readonly assumed: Map<Place, Assumed | null>;
  readonly changes: Change[];
  readonly conflicts: Conflict[];
  readonly files: { path: string; action: string }[];
}

type Now = Omit<Image, "object" | "fingerprint"> | null;

/** What a planned change leaves at a place. */
interface Assumed extends Image {
  /** Its content, where it was made here. */
  readonly bytes?: Uint8Array;
}

function nowAt({ view, assumed }: Undoing, place: SafePath): Now {
  const image = assumed.get(place);
  if (image !== undefined) return image;
  const seen: Sighting | null = view.see(place);
  return seen && { ...seen.facts, version: seen.version };
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

function plan(undoing: Undoing, path: SafePath, action: string, after: Assumed | null, ...changes: Change[]): void {
  undoing.changes.push(...changes);
  undoing.assumed.set(path, after);
  undoing.files.push({ path: undoing.view.nameOf(path), action });
}

function refuse({ view, conflicts }: Undoing, path: SafePath, reason: string): void {
  conflicts.push({ path: view.nameOf(path), reason });
}

/** A large file is known by its times as well, and a rename changes one of them: it is still the same. */
function isSame(now: Now, image: Image | null): boolean {
  if (!now || !image) return now === image;
  const isObject = now.identity === image.identity && now.size === image.size && now.modifiedMs === image.modifiedMs;
  return now.version === image.version || (isObject && now.size > LIMITS.hashedBytes);
}

/** What this very change set has put there is as planned. */
const expected = ({ assumed }: Undoing, path: SafePath, now: Now): Expected =>
  assumed.has(path) ? undefined : (now?.version ?? null);

function removeAgain(undoing: Undoing, { path, after, source }: Effect): void {
  const now = nowAt(undoing, path);
  if (!now) return;
  if (!isSame(now, after)) return refuse(undoing, path, "it was changed since it was made");
  plan(undoing, path, "Removed", null, {
    kind: "remove",
    path,
    expect: expected(undoing, path, now),
    into: source ?? "history",
  });
  if (source !== undefined) undoing.assumed.set(source, after);
}

/** What came as a whole goes as a whole, if nothing in it was touched since; then what it replaced comes back. */
function takeAway(undoing: Undoing, effect: Effect): void {
  const { path, after, before } = effect;
  const now = nowAt(undoing, path);
  const isTouched =
    after?.fingerprint !== undefined && after.fingerprint !== undoing.view.past.fingerprint(path, LIMITS.fingerprinted);
  if (now && (isTouched || !isSame(now, after))) return refuse(undoing, path, "it was changed since");
  if (now) removeAgain(undoing, effect);
  if (before) bringBack(undoing, path, before);
}

async function writeBack(undoing: Undoing, effect: Effect): Promise<void> {
  const { path, before, after } = effect;
  const now = nowAt(undoing, path);
  if (isSame(now, before)) return;
  if (now?.kind !== "file") return refuse(undoing, path, now ? "it is no file any more" : "it was deleted since");
  if (isSame(now, after) && before?.object !== undefined)
    return writeObject(undoing, path, before, expected(undoing, path, now));
  if (isSame(now, after) && effect.action === "append" && now.size > LIMITS.editBytes)
    return cutBack(undoing, path, before, expected(undoing, path, now));
  const content = await mergedBack(undoing, effect, now);
  if (typeof content === "string") return refuse(undoing, path, content);
  const merged = before && { ...before, version: versionOfBytes(content), bytes: content };
  plan(undoing, path, isSame(now, after) ? "Brought back" : "Merged", merged, {
    kind: "write",
    path,
    content,
    expect: expected(undoing, path, now),
    mode: before?.mode,
  });
}

function writeObject(undoing: Undoing, path: SafePath, before: Image, expect: Expected): void {
  const { object, mode } = before;
  if (object === undefined || !isKept(undoing, object)) return refuse(undoing, path, GONE);
  // A large file comes back as it is; a small one as a copy, so that this change can still be told from the next.
  if (before.size > LIMITS.editBytes) undoing.assumed.set(object, null);
  const change: Change =
    before.size > LIMITS.editBytes
      ? { kind: "restore", object, path, replaces: expect }
      : { kind: "write", path, content: object, expect, mode };
  plan(undoing, path, "Brought back", before, change);
}

function isKept({ assumed, view }: Undoing, object: ObjectName): boolean {
  const image = assumed.get(object);
  return image === undefined ? view.past.see(object) !== null : image !== null;
}

/** What was appended to a file that is too large to be held goes again. */
function cutBack(undoing: Undoing, path: SafePath, before: Image | null, expect: Expected): void {
  const content = { size: before?.size ?? 0 };
  plan(undoing, path, "Brought back", before, { kind: "write", path, content, expect, mode: before?.mode });
}

const GONE = "what was kept of it is gone";

/** The old content with later changes in other lines on top, or why that cannot be made. */
async function mergedBack(undoing: Undoing, effect: Effect, now: Now): Promise<Uint8Array | string> {
  const { path, before, after, action } = effect;
  const { view } = undoing;
  const theirs = await contentAt(undoing, path);
  if (!theirs) return GONE;
  const base = isSame(now, after) ? theirs : await view.past.recall(after?.version ?? "", view.breathe);
  if (!base) return "it was changed since, by another program";
  const ours = action === "append" ? base.subarray(0, before?.size) : contentOf(view, before);
  if (!ours) return GONE;
  const merge = mergeBytes(base, ours, theirs);
  if (merge.kind === "merged") return merge.bytes;
  const lines = merge.regions.slice(0, LIMITS.placesListed).map(({ line }) => line);
  return `the same lines were changed since: line ${lines.join(", ")}`;
}

async function contentAt({ view, assumed }: Undoing, path: SafePath): Promise<Uint8Array | null> {
  const image = assumed.get(path);
  if (image === undefined) return (await view.withFile(path, readWhole)).bytes;
  return image?.bytes ?? contentOf(view, image);
}

const contentOf = (view: View, image: Image | null): Uint8Array | null =>
  image?.object === undefined ? null : view.past.contentOf(image.object);

/** What moved is known by its identity; edits since then move along. */
async function moveBack(undoing: Undoing, effect: Effect): Promise<void> {
  const { path, from, before, after } = effect;
  const now = nowAt(undoing, path);
  if (from === undefined) return;
  const old = nowAt(undoing, from);
  if (old && old.identity === after?.identity) return;
  if (!now || (now.identity !== after?.identity && !(await isEdited(undoing, path, now))))
    return refuse(undoing, path, "it was moved, replaced or deleted since");
  if (old) return refuse(undoing, from, "something else is there now");
  const expect = expected(undoing, path, now);
  const moved: Change = { kind: "move", path, to: from, expect, replaces: null };
  plan(undoing, from, "Moved back", now, ...above(undoing, from), moved);
  undoing.assumed.set(path, null);
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
  const now = nowAt(undoing, path);
  if (isSame(now, before)) return;
  if (now) return refuse(undoing, path, "something else is there now");
  const object = before?.object;
  if (!before || object === undefined) return refuse(undoing, path, "it was deleted for good");
  if (!isKept(undoing, object)) return refuse(undoing, path, GONE);
  undoing.assumed.set(object, null);
  plan(undoing, path, "Brought back", before, ...above(undoing, path), {
    kind: "restore",
    object,
    path,
    replaces: null,
  });
}

/** Directories that have gone since are made again. */
function above(undoing: Undoing, path: SafePath): readonly Change[] {
  const parent = parentOf(path) as SafePath;
  if (undoing.view.roots.some(({ real }) => real === parent) || nowAt(undoing, parent)) return [];
  return [...above(undoing, parent), { kind: "mkdir", path: parent }];
}

/** A directory that others use by now stays, unless it was all that was asked for. */
async function removeDirectory(undoing: Undoing, { path }: Effect, isAlone: boolean): Promise<void> {
  if (nowAt(undoing, path)?.kind !== "directory") return;
  const entries = await undoing.view.withDirectory(path, (directory) => directory.entries());
  const isInUse = entries.some(({ name }) => undoing.assumed.get(childOf(path, name)) !== null);
  if (isInUse && isAlone) return refuse(undoing, path, "it is in use: it is not empty");
  if (isInUse) return;
  plan(undoing, path, "Removed", null, { kind: "remove", path, into: "history", unlessInUse: true });
}

function setModeBack(undoing: Undoing, { path, before, after }: Effect): void {
  const now = nowAt(undoing, path);
  if (!before || now?.mode === before.mode) return;
  if (now?.mode !== after?.mode) return refuse(undoing, path, "its permissions were changed since");
  plan(undoing, path, "Permissions set back", before, { kind: "chmod", path, mode: before.mode });
}
