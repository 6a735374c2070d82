import type { Key, ObjectStore } from "../../../storage/objects/object-store.ts";
import type { State } from "../../../storage/state.ts";
import type { ObjectName } from "../../../storage/writer.ts";
import type { Prober } from "../../prober.ts";
import type { Change, ChangeRecord, Counted } from "../change.ts";
import { fileStateOf } from "../file-states.ts";
import { newChangeId } from "../journal/change-id.ts";
import { createTrashNotes, type TrashItem } from "../trash/notes.ts";
import { broughtBack, itemOf, rescuedItem, type Retention, type Trash, trashIdOf } from "../trash/trash.ts";
import { eraseAll, keysBelow } from "./erase.ts";
import type { ObjectPlaces } from "./object-places.ts";
import type { StoreIdentity } from "./store-identity.ts";

/** Notes what lies in the trash of an object store. */
export interface ObjectTrash extends Pick<Trash, "items" | "item" | "purge" | "expire" | "forget"> {
  /** Writes a note for everything that a change set deletes. */
  note(record: ChangeRecord, changes: readonly Change[], counted: ReadonlyMap<ObjectName, Counted>): void;
  /** Removes the note of what a failed change set had moved into the trash. */
  drop(id: string): void;
  /** Takes in the backup of an object that could not be put back. */
  rescue(backup: Key, key: Key): Promise<void>;
}

interface TrashContext {
  readonly objects: ObjectStore;
  readonly places: ObjectPlaces;
  readonly identity: StoreIdentity;
  readonly prober: Prober;
  readonly state: State;
  readonly retention: Retention;
}

export function createObjectTrash(context: TrashContext): ObjectTrash {
  const { objects, places, identity, prober, state, retention } = context;
  const notes = createTrashNotes(state);
  const isHere = ({ object, isDoomed }: TrashItem): boolean => !isDoomed && identity.isSame() && places.isOwn(object);
  const purge = async (item: TrashItem): Promise<void> => {
    await identity.require();
    notes.write({ ...item, isDoomed: true });
    await eraseAll(objects, await keysBelow(objects, places.keyOf(item.object)));
    notes.remove(item.id);
  };
  return {
    note(record, changes, counted) {
      for (const effect of record.effects) {
        const item = itemOf(effect, record, changes, retention, (object) => counted.get(object));
        if (item) notes.write(item);
      }
    },
    forget(record) {
      for (const object of broughtBack(record)) notes.remove(trashIdOf(object));
    },
    drop: notes.remove,
    items: (path) => (path === undefined ? notes.all() : notes.from(path)).filter(isHere),
    item(id, path) {
      const item = notes.item(id, path);
      return item && isHere(item) ? item : null;
    },
    async expire(nowMs) {
      const own = notes.all().filter(({ object }) => places.isOwn(object));
      for (const item of own) if (item.isDoomed || item.expiresMs <= nowMs) await purge(item);
    },
    purge,
    async rescue(backup, key) {
      const changeId = await state.locked(() => newChangeId(state));
      const object = places.objectFor("trash", `${changeId}-0`);
      if (!(await objects.put(places.keyOf(object), { copyOf: backup }, { absent: true }))) return;
      const image = fileStateOf(await prober.snapshot(object), object);
      if (!image) return;
      notes.write(rescuedItem({ object, path: places.pathOf(key), changeId, image }, retention));
    },
  };
}
