import { setImmediate } from "node:timers/promises";
import { LIMITS } from "../base/limits.ts";
import type { Hands, ObjectName } from "../storage/hands.ts";
import { doomedOf, partsOf } from "../storage/place.ts";
import type { State } from "../storage/state.ts";
import type { ChangeRecord } from "./change.ts";
import type { Journal } from "./journal.ts";
import type { Trash } from "./trash.ts";

interface Pruned {
  readonly hands: Hands;
  readonly state: State;
  readonly journal: Journal;
  readonly trash: Trash;
}

/** Returns what is called after every change: now and then it lets old history and expired trash go, in the background. */
export function createPruner(pruned: Pruned): () => void {
  let nextMs = 0;
  return function pruneIfDue() {
    if (Date.now() < nextMs) return;
    nextMs = Date.now() + LIMITS.historyLookMs;
    // A call must not fail for what it did not ask for; the next look tries again.
    prune(pruned, { nowMs: Date.now(), mostBytes: LIMITS.historyBytes, mostMs: LIMITS.historyMs }).catch(() => {});
  };
}

/** What the history may keep. */
interface Bounds {
  readonly nowMs: number;
  readonly mostBytes: number;
  readonly mostMs: number;
}

/**
 * Oldest first, until what is left is young and small enough; one that is larger than all may be goes by itself. The last
 * change of all stays. The trash has a retention of its own.
 */
export async function prune(pruned: Pruned, { nowMs, mostBytes, mostMs }: Bounds): Promise<void> {
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
    const size = nth === 0 ? 0 : kept.reduce((sum, each) => sum + each.size, 0);
    const isHuge = size > mostBytes;
    if (!isHuge) bytes += size;
    const isOld = nth > 0 && nowMs - record.timeMs > mostMs;
    if (isHuge || isOld || bytes > mostBytes) await forget(pruned, record.id, objects);
    else for (const object of objects) stays.add(object);
  }
  await trash.expire(nowMs);
}

interface Kept {
  readonly object: ObjectName;
  readonly size: number;
}

/** What only the history keeps; the trash has the rest. */
const keptObjects = ({ effects }: ChangeRecord): readonly Kept[] =>
  effects.flatMap(({ before }) => {
    const { object, size = 0 } = before ?? {};
    return object !== undefined && partsOf(object).folder === "objects" ? [{ object, size }] : [];
  });

/**
 * Out of reach first, under the lock: an undo that is made at this moment must not bring back half of something. The
 * journal knows of it, so that what is cut off here is erased later.
 */
async function forget({ hands, state, journal }: Pruned, id: string, objects: readonly ObjectName[]): Promise<void> {
  if (objects.length === 0) return journal.remove(id);
  const entry = journal.begin();
  try {
    entry.stages(objects.map(doomedOf));
    await state.locked(() => {
      for (const object of objects) if (hands.look(object)) hands.move(object, doomedOf(object), "new");
      journal.remove(id);
    });
    for (const object of objects) await hands.erase(doomedOf(object));
    entry.end();
  } catch (error) {
    entry.leave();
    throw error;
  }
}
