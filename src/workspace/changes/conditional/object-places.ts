import { Fault } from "../../../base/errors.ts";
import { nameIn } from "../../../base/paths.ts";
import { STORE_NAME } from "../../../base/product.ts";
import type { Key } from "../../../storage/objects/object-store.ts";
import { isPath, namesWithin, objectNamed, placeInStore } from "../../../storage/place.ts";
import type { SafePath, StorageReader } from "../../../storage/storage.ts";
import type { ObjectName, Place } from "../../../storage/writer.ts";
import type { Prober } from "../../prober.ts";
import { createReadingProber } from "../../reading-prober.ts";

/** Translates between places and keys: backups lie below a hidden name at the top. */
export interface ObjectPlaces {
  readonly root: string;
  keyOf(place: Place): Key;
  /** Checks that a backup lies in this storage. */
  isOwn(object: ObjectName): boolean;
  pathOf(key: Key): SafePath;
  objectFor(folder: "objects" | "trash", name: string): ObjectName;
}

export function createObjectPlaces(root: string): ObjectPlaces {
  const store = `remote-${nameIn(root)}`;
  return {
    root,
    keyOf(place) {
      if (isPath(place)) return namesWithin([root], place).join("/");
      const { folder, names, store: other } = placeInStore(place);
      if (other === store) return [STORE_NAME, folder, ...names].join("/");
      throw new Fault("not_found", `Cannot use ${JSON.stringify(place)}: it is a backup of another storage`);
    },
    isOwn: (object) => placeInStore(object).store === store,
    pathOf: (key) => `${root}/${key}` as SafePath,
    objectFor: (folder, name) => objectNamed(store, folder, name),
  };
}

/** Looks at paths through the storage, and at backups through the storage that only reads those. */
export function createObjectProber(storage: StorageReader, backups: StorageReader, places: ObjectPlaces): Prober {
  const [inRoot, inStore] = [createReadingProber(storage), createReadingProber(backups)];
  const at = (place: Place): readonly [Prober, SafePath] =>
    isPath(place) ? [inRoot, place] : [inStore, places.pathOf(places.keyOf(place))];
  return {
    snapshot: (place) => using(at(place), (prober, path) => prober.snapshot(path)),
    hasParent: inRoot.hasParent,
    fingerprint: (place, most) => using(at(place), (prober, path) => prober.fingerprint(path, most)),
    entriesIn: (place, most, isExcluded) =>
      using(at(place), (prober, path) => prober.entriesIn(path, most, isExcluded)),
    contentOf: (place, from, most) => using(at(place), (prober, path) => prober.contentOf(path, from, most)),
  };
}

const using = <T>([prober, path]: readonly [Prober, SafePath], use: (prober: Prober, path: SafePath) => T): T =>
  use(prober, path);
