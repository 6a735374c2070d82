import { LIMITS } from "../../base/limits.ts";
import type { Facts, SafePath } from "../../storage/storage.ts";
import type { ChangeRecord, Effect, FileState } from "./change.ts";
import type { Journal } from "./journal/journal.ts";

/** Which change made a place what it is. Only those are known that were made since somebody wanted to know. */
export interface RecentChanges {
  /** From now on. */
  startTracking(): void;
  /** Learns what was changed meanwhile, by whichever process. */
  catchUp(): Promise<void>;
  /** The change that left the place like this; undefined when somebody else was there since. */
  madeBy(place: SafePath, now: Facts | null): RecentChange | undefined;
}

export interface RecentChange {
  readonly id: string;
  /** It moved, copied, deleted or brought back all that is in the place as well. */
  readonly isTree: boolean;
}

interface RecentState extends RecentChange {
  readonly after: FileState | null;
}

export function createRecentChanges(journal: Journal): RecentChanges {
  const byPlace = new Map<string, RecentState>();
  let sinceMs: number | undefined;
  let seen = "";
  return {
    startTracking: () => void (sinceMs ??= newestIn(journal)),
    async catchUp() {
      await journal.whenIdle();
      const state = journal.state();
      if (state === seen || sinceMs === undefined) return;
      seen = state;
      for (const record of recordsSince(journal, sinceMs)) {
        recordEffects(byPlace, record);
        sinceMs = record.timeMs;
      }
    },
    madeBy(place, now) {
      const left = byPlace.get(place);
      return left && isUnchangedSince(left.after, now) ? left : undefined;
    },
  };
}

const newestIn = (journal: Journal): number => {
  for (const { timeMs } of journal.records()) return timeMs;
  return 0;
};

/** Oldest first. Those of one millisecond may be read in any order, and are noted once more. */
function recordsSince(journal: Journal, ms: number): readonly ChangeRecord[] {
  const younger: ChangeRecord[] = [];
  for (const record of journal.records()) {
    if (record.timeMs < ms) break;
    younger.push(record);
  }
  return younger.toReversed();
}

function recordEffects(byPlace: Map<string, RecentState>, { id, effects }: ChangeRecord): void {
  for (const effect of effects)
    for (const [place, after] of placesLeft(effect)) {
      byPlace.delete(place);
      byPlace.set(place, { id, after, isTree: TREES.includes(effect.action) });
    }
  for (const oldest of byPlace.keys()) {
    if (byPlace.size <= LIMITS.recentEffects) break;
    byPlace.delete(oldest);
  }
}

const TREES: readonly Effect["action"][] = ["move", "copy", "restore", "delete"];

const placesLeft = ({ action, path, from, after }: Effect): readonly (readonly [string, FileState | null])[] =>
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
