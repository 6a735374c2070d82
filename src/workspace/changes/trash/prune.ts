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

/** How much the history keeps and for how long, and when it is looked at. */
interface HistoryLimits {
  readonly historyBytes: number;
  readonly historyMs: number;
  readonly historyPollMs: number;
  readonly historyNewBytes: number;
}

/**
 * Returns what is called after every change. Now and then, and soon after much was kept, it lets old history and expired
 * trash go, in the background.
 */
export function createPruner(
  pruned: PruneContext,
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
    // A call must not fail for what it did not ask for; the next look tries again.
    pruning = pruneNow(pruned, limits)
      .catch(() => {})
      .finally(() => (pruning = undefined));
    return pruning;
  };
}

async function pruneNow(pruned: PruneContext, { historyBytes, historyMs }: HistoryLimits): Promise<void> {
  const nowMs = confirmedTime(pruned.state, readClock(pruned.state));
  await prune(pruned, { nowMs, mostBytes: historyBytes, mostMs: historyMs });
}

/** How large a tree is has to be looked at: it may well be much. */
const bytesKeptBy = (record: ChangeRecord, { historyNewBytes }: HistoryLimits): number =>
  keptObjects(record).reduce((sum, { size, isTree }) => sum + (isTree ? historyNewBytes + 1 : size), 0);

/** What the history may keep. */
interface Bounds {
  /** What is judged by its age is judged by this time. */
  readonly nowMs: number;
  readonly mostBytes: number;
  readonly mostMs: number;
}

/**
 * Oldest first, until what is left is young and small enough; one that is larger than all may be goes by itself. The last
 * change of all stays. The trash has a retention of its own.
 */
export async function prune(pruned: PruneContext, { nowMs, mostBytes, mostMs }: Bounds): Promise<void> {
  const { journal, trash } = pruned;
  const stays = new Set<ObjectName>();
  let bytes = 0;
  let nth = -1;
  for (const record of journal.records()) {
    await setImmediate();
    nth++;
    // A later change may have put something back to where an earlier one kept it.
    const kept = keptObjects(record).filter(({ object }) => !stays.has(object));
    const objects = kept.map(({ object }) => object);
    const size = nth === 0 ? 0 : await bytesOf(pruned.writer, kept);
    const isHuge = size > mostBytes;
    if (!isHuge) bytes += size;
    const isOld = nth > 0 && nowMs - record.timeMs > mostMs;
    if (isHuge || isOld || bytes > mostBytes) await forget(pruned, record.id, objects);
    else for (const object of objects) stays.add(object);
  }
  await trash.expire(nowMs);
}

interface KeptObject {
  readonly object: ObjectName;
  readonly size: number;
  /** Then its own size says nothing. */
  readonly isTree: boolean;
}

async function bytesOf(writer: StorageWriter, kept: readonly KeptObject[]): Promise<number> {
  let bytes = 0;
  for (const { object, size, isTree } of kept) bytes += isTree ? await writer.treeBytes(object) : size;
  return bytes;
}

/** What only the history keeps; the trash has the rest. */
const keptObjects = ({ effects }: ChangeRecord): readonly KeptObject[] =>
  effects.flatMap(({ before }) => {
    const { object, size = 0, kind } = before ?? {};
    if (object === undefined || objectParts(object).folder !== "objects") return [];
    return [{ object, size, isTree: kind === "directory" }];
  });

/**
 * Out of reach first, under the lock: an undo that is made at this moment must not bring back half of something. The
 * journal knows of it, so that what is cut off here is erased later.
 */
async function forget(
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
