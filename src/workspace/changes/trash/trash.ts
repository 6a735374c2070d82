import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf, nameIn, parentOf } from "../../../base/paths.ts";
import { HOUR_MS } from "../../../base/time.ts";
import type { StorageWriter, ObjectName, Place } from "../../../storage/writer.ts";
import { pendingDeletionOf, isPath, objectParts } from "../../../storage/place.ts";
import { rootAround, type RootIdentity } from "../../../storage/root-identity.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { State } from "../../../storage/state.ts";
import type { Change, ChangeRecord, Counted, Effect, Principal } from "../change.ts";
import { fileStateOf } from "../file-states.ts";
import { newChangeId } from "../journal/change-id.ts";
import { createTrashNotes, type TrashItem } from "./notes.ts";

/** The time, in hours, for which deleted files can be restored. */
export type Retention = Readonly<Record<Principal, number>>;

export interface Trash {
  /** Writes a note for everything that a change set deletes. */
  note(record: ChangeRecord, changes: readonly Change[]): void;
  /** Takes in what a rollback could not put back to `path`: by one rename, so that a crash leaves it where it was. */
  rescue(at: Place, path: SafePath): void;
  /** Removes the notes of what a committed change restored. */
  forget(record: ChangeRecord): void;
  /**
   * Returns items newest first, without restored ones. With a path, returns only what was deleted from there. Looks only
   * at items from places that `isInside` accepts.
   */
  items(path?: SafePath, isInside?: (place: SafePath) => boolean): readonly TrashItem[];
  /** Finds the item without a listing when its original path is known. */
  item(id: string, path?: SafePath): TrashItem | null;
  /** Erases expired items only, and finishes interrupted purges. */
  expire(nowMs: number): Promise<void>;
  /** Erases one item for good. */
  purge(item: TrashItem): Promise<void>;
}

/** Creates the trash of a workspace. `rootsOf` returns the roots that it deletes in. */
export function createTrash(
  writer: StorageWriter,
  state: State,
  retention: Retention,
  rootsOf: () => readonly RootIdentity[],
): Trash {
  const notes = createTrashNotes(state);
  /**
   * Renames the object under the lock first: a restore that runs at this moment must not be erased at its old place.
   */
  const purge = async (item: TrashItem): Promise<void> => {
    const pendingDeletion = pendingDeletionOf(item.object);
    await state.locked(() => {
      if (writer.stat(item.object) === null) return;
      notes.write({ ...item, isDoomed: true });
      writer.move(item.object, pendingDeletion, "new");
    });
    await writer.erase(pendingDeletion);
    notes.remove(item.id);
  };
  const isInTrash = ({ object, isDoomed }: TrashItem): boolean => !isDoomed && writer.stat(object) !== null;
  const rescue = (at: Place, path: SafePath): void => {
    if (!isPath(at) && objectParts(at).folder === FOLDER && notes.item(trashIdOf(at), path)) return;
    const changeId = newChangeId(state);
    const object = objectFor(writer, at, path, `${changeId}-0`);
    if (!writer.isSameDisk(at, object)) return writer.move(at, recoveredPath(path, changeId), "new");
    const image = fileStateOf(writer.snapshot(at), object);
    if (!image) throw new Fault("not_found", `Cannot keep ${JSON.stringify(path)}: it is gone`, { path });
    const item = rescuedItem({ object, path, changeId, image }, retention);
    notes.write({ ...item, root: rootAround(rootsOf(), path) });
    if (at !== object) writer.move(at, object, "new");
  };
  return {
    rescue,
    note(record, changes) {
      for (const effect of record.effects) {
        const item = itemOf(effect, record, changes, retention, (object) => countedIn(writer, object));
        if (item) notes.write({ ...item, root: rootAround(rootsOf(), item.path) });
      }
    },
    forget(record) {
      for (const object of broughtBack(record)) notes.remove(trashIdOf(object));
    },
    items: (path, isInside = () => true) =>
      (path === undefined ? notes.all() : notes.from(path)).filter((item) => isInside(item.path) && isInTrash(item)),
    item(id, path) {
      const item = notes.item(id, path);
      return item && isInTrash(item) ? item : null;
    },
    async expire(nowMs) {
      const isDue = ({ isDoomed, expiresMs }: TrashItem): boolean => isDoomed === true || expiresMs <= nowMs;
      // Where the disk of a store is not mounted, the note waits: without it nobody would erase the object.
      for (const item of notes.all()) if (isDue(item) && writer.hasParent(item.object)) await purge(item);
    },
    purge,
  };
}

const FOLDER = "trash";

/** Returns trash objects that a change set restored and did not delete again. */
export function broughtBack({ effects }: ChangeRecord): ReadonlySet<ObjectName> {
  const objects = new Set<ObjectName>();
  for (const { action, source, before } of effects) {
    if (action === "restore" && source !== undefined && objectParts(source).folder === FOLDER) objects.add(source);
    if (action === "delete" && before?.object !== undefined) objects.delete(before.object);
  }
  return objects;
}

/** Describes what an effect moved into the trash; undefined when it moved nothing there. */
export function itemOf(
  { action, path, before }: Effect,
  { id, timeMs, principal, session }: ChangeRecord,
  changes: readonly Change[],
  retention: Retention,
  countIn: (object: ObjectName) => Counted | undefined,
): TrashItem | undefined {
  if (action !== "delete" || before?.object === undefined) return undefined;
  const { object, size } = before;
  if (objectParts(object).folder !== "trash") return undefined;
  const change = changes.find((each) => each.kind === "remove" && each.path === path);
  const counted = (change?.kind === "remove" ? change.counted : undefined) ?? countIn(object);
  return {
    id: trashIdOf(object),
    changeId: id,
    object,
    path,
    deletedMs: timeMs,
    expiresMs: timeMs + retention[principal] * HOUR_MS,
    principal,
    session,
    image: before,
    files: counted?.files ?? 1,
    bytes: counted?.bytes ?? size,
  };
}

/** Counts a tree that undo puts back into the trash: nobody has counted it yet. */
function countedIn(writer: StorageWriter, object: ObjectName): Counted | undefined {
  const found = [...(writer.entriesIn(object, LIMITS.fingerprintedEntries, () => false)?.values() ?? [])];
  const files = found.filter(({ kind }) => kind !== "directory");
  const bytes = files.reduce((sum, { kind, size }) => sum + (kind === "file" ? size : 0), 0);
  return found.length > 0 ? { files: files.length, bytes } : undefined;
}

/** Returns the object itself when it is in the trash already and only lacks a note. */
const objectFor = (writer: StorageWriter, at: Place, path: SafePath, id: string): ObjectName =>
  !isPath(at) && objectParts(at).folder === FOLDER ? at : writer.objectFor(path, FOLDER, id);

/** Returns a visible name for a file that is on another disk than the trash: one rename recovers a tree of any size. */
function recoveredPath(path: SafePath, id: string): SafePath {
  const name = `recovered-${id}-${nameIn(path)}`;
  const isTooLong = Buffer.byteLength(name) > LIMITS.nameBytes;
  return childOf(parentOf(path) as SafePath, isTooLong ? `recovered-${id}` : name);
}

/**
 * Makes an item for a rescued object. The journal of an unfinished change set does not name its author, so the longest
 * retention applies.
 */
export function rescuedItem(
  { object, path, changeId, image }: Pick<TrashItem, "object" | "path" | "changeId" | "image">,
  retention: Retention,
): TrashItem {
  const deletedMs = Date.now();
  return {
    id: trashIdOf(object),
    changeId,
    object,
    path,
    deletedMs,
    expiresMs: deletedMs + Math.max(...Object.values(retention)) * HOUR_MS,
    principal: "user",
    session: "recovery",
    image,
    // A tree is not counted under the lock.
    ...(image.kind === "directory" ? { files: 0, bytes: 0 } : { files: 1, bytes: image.size }),
  };
}

/** Returns the id by which callers know an item. */
export const trashIdOf = (object: ObjectName): string => objectParts(object).name;
