import { isWithin } from "../../base/paths.ts";
import type { RootName } from "../confine.ts";
import type { FullHistory } from "../view.ts";
import type { StoredRecord } from "./journal/records.ts";
import { createReplacedCheck, type Identify, type IsReplaced } from "./replaced-roots.ts";
import { type IsInside, type ShownChange, withoutElsewhere } from "./shown-change.ts";
import type { TrashItem } from "./trash/notes.ts";

interface HistoryScope {
  readonly roots: readonly RootName[];
  readonly identify: Identify;
  /** Shows, and marks, what was done in other directories that had the same path: a person may see it, no agent. */
  readonly showsReplaced: boolean;
}

/** Shows of the history and the trash of this machine what lies below some roots. */
export function historyWithin(history: FullHistory, { roots, identify, showsReplaced }: HistoryScope): FullHistory {
  const isInside: IsInside = (place) => roots.some(({ real }) => isWithin(place, real));
  const shown = (record: StoredRecord, isReplaced: IsReplaced): ShownChange | null => {
    const isOther = (place: string): boolean => isReplaced(record.roots, place);
    if (!showsReplaced) return withoutElsewhere(record, (place) => isInside(place) && !isOther(place));
    const own = withoutElsewhere(record, isInside);
    return own && own.effects.some(({ path }) => isOther(path)) ? { ...own, isOfReplaced: true } : own;
  };
  const shownItem = (item: TrashItem, isReplaced: IsReplaced): readonly TrashItem[] => {
    if (!isInside(item.path)) return [];
    if (!item.root || !isReplaced([item.root], item.path)) return [item];
    return showsReplaced ? [{ ...item, isOfReplaced: true }] : [];
  };
  return {
    ...history,
    async *records(checkpoint, naming) {
      const isReplaced = createReplacedCheck(identify);
      for await (const record of history.records(checkpoint, naming)) {
        const own = shown(record, isReplaced);
        if (own) yield own;
      }
    },
    read(id) {
      const record = history.read(id);
      return record && shown(record, createReplacedCheck(identify));
    },
    contentOfVersion(version, checkpoint, admits) {
      const isReplaced = createReplacedCheck(identify);
      const isShown = (place: string, record: StoredRecord): boolean =>
        isInside(place) && (showsReplaced || !isReplaced(record.roots, place));
      return history.contentOfVersion(
        version,
        checkpoint,
        (place, record) => isShown(place, record) && admits(place, record),
      );
    },
    trash(path) {
      const isReplaced = createReplacedCheck(identify);
      return history.trash(path, isInside).flatMap((item) => shownItem(item, isReplaced));
    },
    trashItem(id, path) {
      const item = history.trashItem(id, path);
      return (item && shownItem(item, createReplacedCheck(identify))[0]) ?? null;
    },
  };
}
