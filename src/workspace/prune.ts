import { setImmediate } from "node:timers/promises";
import { LIMITS } from "../base/limits.ts";
import type { Hands, ObjectName } from "../storage/hands.ts";
import { partsOf } from "../storage/place.ts";
import type { ChangeRecord } from "./change.ts";
import type { Journal } from "./journal.ts";
import type { Trash } from "./trash.ts";

interface Pruned {
  readonly hands: Hands;
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
    prune(pruned, Date.now()).catch(() => {});
  };
}

/**
 * Oldest first, until what is left is young and small enough; one that is larger than all may be goes by itself. The last
 * change of all stays. The trash has a retention of its own.
 */
async function prune({ hands, journal, trash }: Pruned, nowMs: number): Promise<void> {
  let kept = 0;
  for (const id of journal.ids().toReversed().slice(1)) {
    await setImmediate();
    const record = journal.read(id);
    if (!record) continue;
    const bytes = keptBytes(record);
    const isHuge = bytes > LIMITS.historyBytes;
    if (!isHuge) kept += bytes;
    const isOld = nowMs - record.timeMs > LIMITS.historyMs;
    if (isHuge || isOld || kept > LIMITS.historyBytes) await forget(hands, journal, record);
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

const keptBytes = (record: ChangeRecord): number => keptObjects(record).reduce((sum, { size }) => sum + size, 0);

async function forget(hands: Hands, journal: Journal, record: ChangeRecord): Promise<void> {
  for (const { object } of keptObjects(record)) await hands.erase(object);
  journal.remove(record.id);
}
