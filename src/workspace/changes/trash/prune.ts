import { setImmediate } from "node:timers/promises";
import { LIMITS } from "../../../base/limits.ts";
import type { StorageWriter, ObjectName } from "../../../storage/writer.ts";
import { pendingDeletionOf, objectParts } from "../../../storage/place.ts";
import type { State } from "../../../storage/state.ts";
import type { ChangeRecord } from "../change.ts";
import { confirmedTime, readClock } from "./clock.ts";
import type { Journal } from "../journal/journal.ts";
import type { Trash } from "./trash.ts";

interface PruneContext {
  readonly writer: StorageWriter;
  readonly state: State;
  readonly journal: Journal;
  readonly trash: Trash;
}

/** Limits the size and age of the history, and how often it is checked. */
interface HistoryLimits {
  readonly historyBytes: number;
  readonly historyMs: number;
  readonly historyPollMs: number;
  readonly historyNewBytes: number;
}

/**
 * Returns a function to call after every change. From time to time, and soon after large backups, it removes old
 * history and expired trash in the background.
 */
export function createPruner(
  context: PruneContext,
  limits: HistoryLimits = LIMITS,
): (record: ChangeRecord) => Promise<void> | undefined {
  let nextMs = 0;
  let newBytes = 0;
  let pruning: Promise<void> | undefined;
  return function pruneIfDue(record) {
    newBytes += bytesKeptBy(record, limits);
    if (pruning || (performance.now() < nextMs && newBytes <= limits.historyNewBytes)) return undefined;
    nextMs = performance.now() + limits.historyPollMs;
    newBytes = 0;
    // A call must not fail because of pruning; the next run tries again.
    pruning = pruneNow(context, limits)
      .catch(() => {})
      .finally(() => (pruning = undefined));
    return pruning;
  };
}

async function pruneNow(context: PruneContext, { historyBytes, historyMs }: HistoryLimits): Promise<void> {
  const nowMs = confirmedTime(context.state, readClock(context.state));
  await prune(context, { nowMs, mostBytes: historyBytes, mostMs: historyMs });
}

/** Counts a tree as large: its size is not known without a walk. */
const bytesKeptBy = (record: ChangeRecord, { historyNewBytes }: HistoryLimits): number =>
  keptObjects(record).reduce((sum, { size, isTree }) => sum + (isTree ? historyNewBytes + 1 : size), 0);

interface Bounds {
  /** The time that ages are measured from. */
  readonly nowMs: number;
  readonly mostBytes: number;
  readonly mostMs: number;
}

/**
 * Removes records oldest first, until the rest is young and small enough. A record that alone exceeds the limit is
 * removed by itself. The newest record always stays. The trash has its own retention.
 */
export async function prune(context: PruneContext, { nowMs, mostBytes, mostMs }: Bounds): Promise<void> {
  const { journal, trash } = context;
  const retained = new Set<ObjectName>();
  let bytes = 0;
  let nth = -1;
  for (const record of journal.records()) {
    await setImmediate();
    nth++;
    // A later change may have put something back into the object of an earlier one.
    const kept = keptObjects(record).filter(({ object }) => !retained.has(object));
    const objects = kept.map(({ object }) => object);
    const size = nth === 0 ? 0 : await bytesOf(context.writer, kept);
    const isHuge = size > mostBytes;
    if (!isHuge) bytes += size;
    const isOld = nth > 0 && nowMs - record.timeMs > mostMs;
    if (isHuge || isOld || bytes > mostBytes) await removeRecords(context, record.id, objects);
    else for (const object of objects) retained.add(object);
  }
  await trash.expire(nowMs);
}

interface KeptObject {
  readonly object: ObjectName;
  readonly size: number;
  /** Is true for a directory, whose own size says nothing. */
  readonly isTree: boolean;
}

async function bytesOf(writer: StorageWriter, kept: readonly KeptObject[]): Promise<number> {
  let bytes = 0;
  for (const { object, size, isTree } of kept) bytes += isTree ? await writer.treeBytes(object) : size;
  return bytes;
}

/** Returns the backups that only the history holds; the trash holds the others. */
const keptObjects = ({ effects }: ChangeRecord): readonly KeptObject[] =>
  effects.flatMap(({ before }) => {
    const { object, size = 0, kind } = before ?? {};
    if (object === undefined || objectParts(object).folder !== "objects") return [];
    return [{ object, size, isTree: kind === "directory" }];
  });

/**
 * Renames the objects under the lock first: an undo that runs at this moment must not restore a half-erased tree. The
 * renames are journaled, so that recovery erases what an interruption leaves.
 */
async function removeRecords(
  { writer, state, journal }: PruneContext,
  id: string,
  objects: readonly ObjectName[],
): Promise<void> {
  if (objects.length === 0) return journal.remove(id);
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
