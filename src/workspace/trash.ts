import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { childOf, nameIn, parentOf } from "../base/paths.ts";
import { HOUR_MS } from "../base/time.ts";
import type { Hands, ObjectName, Place } from "../storage/hands.ts";
import { doomedOf, isPath, partsOf } from "../storage/place.ts";
import type { SafePath } from "../storage/storage.ts";
import type { State } from "../storage/state.ts";
import type { Change, ChangeRecord, Effect, Image, Principal } from "./change.ts";
import { imageOf } from "./compile.ts";
import { newChangeId } from "./journal.ts";
import { isTrashItem } from "./sound.ts";

/** What is known of one thing in the trash. It lies beside the thing, and outlives the history. */
export interface TrashItem {
  readonly id: string;
  readonly changeId: string;
  readonly object: ObjectName;
  readonly path: SafePath;
  readonly deletedMs: number;
  readonly expiresMs: number;
  readonly principal: Principal;
  readonly session: string;
  readonly image: Image;
  readonly files: number;
  readonly bytes: number;
  /** It is being removed for good, and can no longer be brought back. */
  readonly isDoomed?: boolean | undefined;
}

/** How long what somebody deletes can be brought back, in hours. */
export type Retention = Readonly<Record<Principal, number>>;

export interface Trash {
  /** Takes down what a committed change deleted. */
  note(record: ChangeRecord, changes: readonly Change[]): void;
  /** Takes in what a rollback could not put back to `path`: by one rename, so that a crash leaves it where it was. */
  rescue(at: Place, path: SafePath): void;
  /** Newest first; what has been brought back is not in it. */
  items(): readonly TrashItem[];
  item(id: string): TrashItem | null;
  /** Removes what has expired, and nothing younger; ends what a purge had begun. */
  expire(nowMs: number): Promise<void>;
  /** Removes one thing for good. */
  purge(item: TrashItem): Promise<void>;
}

export function createTrash(hands: Hands, state: State, retention: Retention): Trash {
  /** Out of reach first, under the lock: what somebody brings back at this moment must not be erased in its old place. */
  const purge = async (item: TrashItem): Promise<void> => {
    const doomed = doomedOf(item.object);
    await state.locked(() => {
      if (hands.look(item.object) === null) return;
      state.write(`${FOLDER}/${item.id}`, JSON.stringify({ ...item, isDoomed: true }));
      hands.move(item.object, doomed, "new");
    });
    await hands.erase(doomed);
    state.remove(`${FOLDER}/${item.id}`);
  };
  const items = (): readonly TrashItem[] =>
    state
      .list(FOLDER)
      .flatMap((id) => itemIn(state, id))
      .toSorted((a, b) => (a.changeId < b.changeId ? 1 : -1));
  const rescue = (at: Place, path: SafePath): void => {
    if (!isPath(at) && partsOf(at).folder === FOLDER && itemIn(state, trashIdOf(at)).length > 0) return;
    const changeId = newChangeId();
    const object = objectFor(hands, at, path, `${changeId}-0`);
    if (!hands.isOneDisk(at, object)) return hands.move(at, besideOf(path, changeId), "new");
    const item = rescuedItem(hands, { at, object, path, changeId }, retention);
    state.write(`${FOLDER}/${item.id}`, JSON.stringify(item));
    if (at !== object) hands.move(at, object, "new");
  };
  return {
    rescue,
    note(record, changes) {
      for (const effect of record.effects) {
        const item = itemOf(effect, record, changes, retention);
        if (item) state.write(`${FOLDER}/${item.id}`, JSON.stringify(item));
      }
    },
    items: () => items().filter(({ object, isDoomed }) => !isDoomed && hands.look(object) !== null),
    item: (id) => itemIn(state, id)[0] ?? null,
    async expire(nowMs) {
      for (const item of items()) if (item.isDoomed || item.expiresMs <= nowMs) await purge(item);
    },
    purge,
  };
}

const FOLDER = "trash";

/** None where there is none, where the id is none of ours, or where it is damaged. */
function itemIn(state: State, id: string): readonly TrashItem[] {
  if (!/^[0-9a-z]+-\d+$/.test(id)) return [];
  try {
    const item: unknown = JSON.parse(state.read(`${FOLDER}/${id}`) ?? "");
    return isTrashItem(item, id) ? [item as TrashItem] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function itemOf(
  { action, path, before }: Effect,
  { id, timeMs, principal, session }: ChangeRecord,
  changes: readonly Change[],
  retention: Retention,
): TrashItem | undefined {
  if (action !== "delete" || before?.object === undefined) return undefined;
  const { object, size } = before;
  if (partsOf(object).folder !== "trash") return undefined;
  const change = changes.find((each) => each.kind === "remove" && each.path === path);
  const counted = change?.kind === "remove" ? change.counted : undefined;
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

/** What was deleted is in the trash already, and has only no note there. */
const objectFor = (hands: Hands, at: Place, path: SafePath, id: string): ObjectName =>
  !isPath(at) && partsOf(at).folder === FOLDER ? at : hands.objectFor(path, FOLDER, id);

/** A name that people see, for what lies on another disk than the trash: a tree of any size is there in one rename. */
function besideOf(path: SafePath, id: string): SafePath {
  const name = `recovered-${id}-${nameIn(path)}`;
  const isTooLong = Buffer.byteLength(name) > LIMITS.nameBytes;
  return childOf(parentOf(path) as SafePath, isTooLong ? `recovered-${id}` : name);
}

interface Rescued extends Pick<TrashItem, "object" | "path" | "changeId"> {
  readonly at: Place;
}

/** Whose change it was, the journal of one that never happened does not say. It stays as long as anything does. */
function rescuedItem(hands: Hands, { at, object, path, changeId }: Rescued, retention: Retention): TrashItem {
  const image = imageOf(hands.see(at), object);
  if (!image) throw new Fault("not_found", `Cannot keep ${JSON.stringify(path)}: it is gone`, { path });
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
    // A tree is not counted while others wait.
    ...(image.kind === "directory" ? { files: 0, bytes: 0 } : { files: 1, bytes: image.size }),
  };
}

/** What callers know a thing in the trash by. */
export const trashIdOf = (object: ObjectName): string => partsOf(object).name;
