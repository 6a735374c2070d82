import { isWithin } from "../../base/paths.ts";
import type { RootName } from "../confine.ts";
import type { FullHistory } from "../view.ts";
import type { StoredRecord } from "./journal/records.ts";
import { type IsInside, type ShownChange, withoutElsewhere } from "./shown-change.ts";

/** Shows of the history and the trash of this machine what lies below some roots. */
export function historyWithin(history: FullHistory, roots: readonly RootName[]): FullHistory {
  const isInside: IsInside = (place) => roots.some(({ real }) => isWithin(place, real));
  const shown = (record: StoredRecord): ShownChange | null => withoutElsewhere(record, isInside);
  return {
    ...history,
    async *records(checkpoint, naming) {
      for await (const record of history.records(checkpoint, naming)) {
        const own = shown(record);
        if (own) yield own;
      }
    },
    read(id) {
      const record = history.read(id);
      return record && shown(record);
    },
    contentOfVersion: (version, checkpoint, admits) =>
      history.contentOfVersion(version, checkpoint, (place) => isInside(place) && admits(place)),
    trash: (path) => history.trash(path).filter((item) => isInside(item.path)),
    trashItem(id, path) {
      const item = history.trashItem(id, path);
      return item && isInside(item.path) ? item : null;
    },
  };
}
