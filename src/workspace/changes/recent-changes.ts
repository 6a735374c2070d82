import { LIMITS } from "../../base/limits.ts";
import type { Facts, SafePath } from "../../storage/storage.ts";
import type { ChangeRecord, Effect, FileState } from "./change.ts";
import type { Journal } from "./journal/journal.ts";

/** Maps a path to the change that last wrote it. Knows only changes that were made since tracking started. */
export interface RecentChanges {
  startTracking(): void;
  /** Reads the changes that were made meanwhile, by any process. */
  catchUp(): Promise<void>;
  /** Returns the change that left the path in this state; undefined when another program wrote to it since. */
  madeBy(place: SafePath, now: Facts | null): RecentChange | undefined;
}

export interface RecentChange {
  readonly id: string;
  /** Is true when the change also moved, copied, deleted or restored everything below the path. */
  readonly isTree: boolean;
}

interface RecentState extends RecentChange {
  readonly after: FileState | null;
}

export function createRecentChanges(journal: Journal): RecentChanges {
  const byPlace = new Map<string, RecentState>();
  let last: string | undefined;
  let seen = "";
  return {
    startTracking: () => void (last ??= newestIn(journal)),
    async catchUp() {
      await journal.whenIdle();
      const state = journal.state();
      if (state === seen || last === undefined) return;
      seen = state;
      for (const record of recordsAfter(journal, last)) {
        recordEffects(byPlace, record);
        last = record.id;
      }
    },
    madeBy(place, now) {
      const left = byPlace.get(place);
      return left && isUnchangedSince(left.after, now) ? left : undefined;
    },
  };
}

const newestIn = (journal: Journal): string => {
  for (const { id } of journal.records()) return id;
  return "";
};

/** Returns records oldest first. Only ids have an order that no clock disturbs. */
function recordsAfter(journal: Journal, last: string): readonly ChangeRecord[] {
  const records: ChangeRecord[] = [];
  for (const record of journal.records()) {
    if (record.id <= last) break;
    records.push(record);
  }
  return records.toReversed();
}

function recordEffects(byPlace: Map<string, RecentState>, { id, effects }: ChangeRecord): void {
  for (const effect of effects)
    for (const [place, after] of placesAfter(effect)) {
      byPlace.delete(place);
      byPlace.set(place, { id, after, isTree: TREE_ACTIONS.includes(effect.action) });
    }
  for (const oldest of byPlace.keys()) {
    if (byPlace.size <= LIMITS.recentEffects) break;
    byPlace.delete(oldest);
  }
}

const TREE_ACTIONS: readonly Effect["action"][] = ["create", "move", "copy", "restore", "delete"];

const placesAfter = ({ action, path, from, after }: Effect): readonly (readonly [string, FileState | null])[] =>
  action === "move" && from !== undefined
    ? [
        [from, null],
        [path, after],
      ]
    : [[path, after]];

function isUnchangedSince(after: FileState | null, now: Facts | null): boolean {
  if (!after || !now) return !after && !now;
  if (after.identity !== now.identity) return false;
  return now.kind === "directory" || (after.size === now.size && after.modifiedMs === now.modifiedMs);
}
