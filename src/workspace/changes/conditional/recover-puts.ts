import { LIMITS } from "../../../base/limits.ts";
import { STORE_NAME } from "../../../base/product.ts";
import type { Key, ObjectStore } from "../../../storage/objects/object-store.ts";
import type { State } from "../../../storage/state.ts";
import type { ObjectName } from "../../../storage/writer.ts";
import type { Journal } from "../journal/journal.ts";
import { eraseAll, keysBelow } from "./erase.ts";
import type { ObjectPlaces } from "./object-places.ts";
import type { ObjectTrash } from "./object-trash.ts";
import { adoptPending, beginPending, countUnowned, type PendingSet } from "./pending-puts.ts";
import type { StoreIdentity } from "./store-identity.ts";
import { putBack } from "./put-back.ts";

interface RecoveryContext {
  readonly objects: ObjectStore;
  readonly places: ObjectPlaces;
  readonly identity: StoreIdentity;
  readonly trash: ObjectTrash;
  readonly state: State;
  readonly journal: Journal;
}

/** Finishes the change sets that exited processes recorded, and undoes the others. */
export async function recoverPuts(context: RecoveryContext): Promise<void> {
  const { state, places, identity } = context;
  if (countUnowned(state) === 0) return;
  const adopted = await adoptPending(state, { root: places.root, store: await identity.require() });
  try {
    for (const pending of adopted) await recoverOne(context, pending);
  } catch (error) {
    for (const pending of adopted) pending.abandon();
    throw error;
  }
}

async function recoverOne(context: RecoveryContext, pending: PendingSet): Promise<void> {
  const { journal, trash, objects } = context;
  const record = pending.record === undefined ? null : journal.read(pending.record);
  if (!record) return undoPuts(context, pending, mayHaveMade(pending));
  trash.forget(record);
  await eraseAll(objects, pending.plan.temporary);
  pending.end();
}

/** Counts the puts that may have been made: they are begun in order, and only so many before the first is answered. */
const mayHaveMade = ({ isBackedUp, made, undone }: PendingSet): number =>
  isBackedUp ? new Set([...made.keys(), ...undone]).size + LIMITS.storeCallsAtOnce : 0;

/** Puts back what was made of a change set, and clears away what it had backed up. */
export async function undoPuts({ objects, trash }: RecoveryContext, pending: PendingSet, begun: number): Promise<void> {
  await putBack(objects, pending, begun, trash.rescue);
  for (const backup of pending.plan.backups) {
    const [, id] = TRASH_KEY.exec(backup) ?? [];
    if (id !== undefined) trash.drop(id);
  }
  await eraseAll(objects, pending.plan.backups);
  pending.end();
}

/** Removes a record and its backups. They are journaled as those of a set that made nothing: recovery erases them. */
export async function discardRecord(
  context: RecoveryContext,
  id: string,
  kept: readonly ObjectName[],
  tag: string,
): Promise<void> {
  const { objects, places, state, journal, identity } = context;
  const store = await identity.require();
  const backups: Key[] = [];
  for (const object of kept) backups.push(...(await keysBelow(objects, places.keyOf(object))));
  const pending = beginPending(state, tag, { root: places.root, store, puts: [], backups, temporary: [] });
  journal.remove(id);
  await undoPuts(context, pending, 0).catch((error: unknown) => {
    pending.abandon();
    throw error;
  });
}

/** Matches the key of an object in the trash, or below one. */
const TRASH_KEY = new RegExp(`^${STORE_NAME.replace(".", "\\.")}/trash/([^/]+)`);
