import { parentOf } from "../../base/paths.ts";
import type { Key, ObjectContent, ObjectFacts, ObjectStore, When } from "../objects/object-store.ts";

/** Files in real directories, by keys. Those of directories end in "/". */
export interface DirectoryTree {
  readonly isConditional: boolean;
  /** These are about files only, as for an object store. */
  head(key: Key): Promise<ObjectFacts | null>;
  get(key: Key, tag: string, from: number, most: number): Promise<Uint8Array | null>;
  /** Creates the directories that are missing. */
  put(key: Key, content: ObjectContent, when: When): Promise<ObjectFacts | null>;
  remove(key: Key, match: string): Promise<boolean>;
  /** Returns files and directories below a directory, or in it; null when there is none. */
  list(directory: Key, depth: "entries" | "all"): Promise<readonly ObjectFacts[] | null>;
  makeDirectory(key: Key): Promise<void>;
  /** Removes a directory. Returns false, and leaves it, when it is not empty or not there. */
  removeDirectory(key: Key): Promise<boolean>;
}

/**
 * Makes an object store of real directories. An object store has directories only while something lies below, or a
 * marker is there: so the markers that are written are in memory, one is found for every directory without entries, and
 * a directory without either is removed with its last entry.
 */
export function directoryObjects(tree: DirectoryTree): ObjectStore {
  const markers = createMarkers();
  const markerAt = async (key: Key): Promise<ObjectFacts | null> => {
    const entries = await tree.list(key, "entries");
    if (!entries) markers.remove(key);
    return markers.get(key) ?? (entries?.length === 0 ? markers.add(key) : null);
  };
  /** Removes directories that neither hold anything nor have a marker, innermost first. */
  const removeEmpty = async (directory: Key): Promise<void> => {
    for (let key = directory; key !== "" && !markers.get(key) && (await tree.removeDirectory(key));) key = above(key);
  };
  return {
    isConditional: tree.isConditional,
    isDurable: false,
    head: (key) => (isMarker(key) ? markerAt(key) : tree.head(key)),
    async get(key, tag, from, most) {
      if (!isMarker(key)) return tree.get(key, tag, from, most);
      return markers.get(key)?.tag === tag ? new Uint8Array() : null;
    },
    async put(key, content, when) {
      if (!isMarker(key)) return tree.put(key, content, when);
      const tag = (await markerAt(key))?.tag;
      if ("match" in when ? tag !== when.match : tag !== undefined) return null;
      await tree.makeDirectory(key);
      return markers.add(key);
    },
    async remove(key, match) {
      if (isMarker(key) ? markers.get(key)?.tag !== match : !(await tree.remove(key, match))) return false;
      if (isMarker(key)) markers.remove(key);
      await removeEmpty(isMarker(key) ? key : above(key));
      return true;
    },
    async *list(prefix, depth) {
      const found = await tree.list(prefix, depth);
      if (!found) return;
      const parents = new Set([...found.map(({ key }) => above(key)), ...(prefix === "" ? [""] : [])]);
      const directories = [prefix, ...found.map(({ key }) => key).filter(isMarker)];
      yield* found.filter(({ key }) => !isMarker(key) || depth === "entries");
      for (const key of depth === "entries" ? [prefix] : directories) {
        const marker = markers.get(key) ?? (parents.has(key) ? undefined : markers.add(key));
        if (marker) yield marker;
      }
    },
  };
}

const isMarker = (key: Key): boolean => key.endsWith("/");

/** Returns the key of the directory that holds an entry; empty at the top. */
const above = (key: Key): Key => {
  const parent = parentOf(`/${key.replace(/\/$/, "")}`).slice(1);
  return parent === "" ? "" : `${parent}/`;
};

function createMarkers() {
  const markers = new Map<Key, ObjectFacts>();
  let lastTag = 0;
  return {
    get: (key: Key) => markers.get(key),
    remove: (key: Key) => markers.delete(key),
    add(key: Key): ObjectFacts {
      const facts = { key, size: 0, modifiedMs: Date.now(), tag: `m${++lastTag}` };
      markers.set(key, facts);
      return facts;
    },
  };
}
