import { HOUR_MS } from "../base/time.ts";
import type { Hands, ObjectName } from "../storage/hands.ts";
import { doomedOf, partsOf } from "../storage/place.ts";
import type { SafePath } from "../storage/storage.ts";
import type { State } from "../storage/state.ts";
import type { Change, ChangeRecord, Effect, Image, Principal } from "./change.ts";
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
  return {
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

/** What callers know a thing in the trash by. */
export const trashIdOf = (object: ObjectName): string => partsOf(object).name;
