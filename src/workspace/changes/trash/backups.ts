import type { StorageWriter, ObjectName } from "../../../storage/writer.ts";
import { pendingDeletionOf } from "../../../storage/place.ts";
import type { State } from "../../../storage/state.ts";
import type { Journal } from "../journal/journal.ts";
import type { Backups } from "./prune.ts";

interface BackupContext {
  readonly writer: StorageWriter;
  readonly state: State;
  readonly journal: Journal;
}

/** Holds the backups of a storage whose steps are synchronous. */
export const createBackups = (context: BackupContext): Backups => ({
  treeBytes: context.writer.treeBytes,
  discard: (id, objects) => discard(context, id, objects),
});

/**
 * Renames the objects under the lock first: an undo that runs at this moment must not restore a half-erased tree. The
 * renames are journaled, so that recovery erases what an interruption leaves.
 */
async function discard(
  { writer, state, journal }: BackupContext,
  id: string,
  objects: readonly ObjectName[],
): Promise<void> {
  if (objects.length === 0) return journal.remove(id);
  // Where the disk of a store is not mounted, the record waits: without it nobody would erase the objects.
  if (!objects.every(writer.hasParent)) return;
  const entry = journal.beginEntry();
  try {
    entry.logStaged(objects.map(pendingDeletionOf));
    await state.locked(() => {
      for (const object of objects) if (writer.stat(object)) writer.move(object, pendingDeletionOf(object), "new");
      journal.remove(id);
    });
    for (const object of objects) await writer.erase(pendingDeletionOf(object));
    entry.end();
  } catch (error) {
    entry.abandon();
    throw error;
  }
}
