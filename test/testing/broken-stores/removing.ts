import type { Key, ObjectStore } from "../../../src/storage/objects/object-store.ts";
import { type BrokenStore, drop, force, keysOf } from "./broken-store.ts";

export const REMOVING: readonly BrokenStore[] = [
  {
    fault: "removes whatever is there",
    row: "removes only the object with this tag",
    broken: (objects) => ({ remove: (key) => drop(objects, key) }),
  },
  {
    fault: "removes what it finds below a key",
    row: "removes only the object with this tag",
    broken: (objects) => ({ remove: async (key, match) => removeBelow(objects, key, match, `${key}/`) }),
  },
  {
    fault: "says that it removed what was gone",
    row: "removes only the object with this tag",
    broken: (objects) => ({
      remove: async (key, match) => !(await objects.head(key)) || objects.remove(key, match),
    }),
  },
  {
    fault: "ignores the tag of a removal where an object was written again",
    row: "removes no later version",
    broken: (objects) => {
      const written = new Set<Key>();
      return {
        async put(key, content, when) {
          written.add(key);
          return objects.put(key, content, when);
        },
        remove: (key, match) => (written.has(key) ? drop(objects, key) : objects.remove(key, match)),
      };
    },
  },
  {
    fault: "stores no markers",
    row: "keeps the marker of a directory without entries",
    broken: (objects) => ({
      put: async (key, content, when) =>
        key.endsWith("/") ? { key, size: 0, modifiedMs: 0, tag: "marker" } : objects.put(key, content, when),
    }),
  },
  {
    fault: "does not list markers",
    row: "keeps the marker of a directory without entries",
    broken: (objects) => ({
      async *list(prefix, depth) {
        for await (const facts of objects.list(prefix, depth))
          if (!(await objects.head(facts.key))?.key.endsWith("/")) yield facts;
      },
    }),
  },
  {
    fault: "removes directories that have become empty",
    row: "keeps the marker of a directory when its last entry is removed",
    broken: (objects) => ({
      async remove(key, match) {
        const isRemoved = await objects.remove(key, match);
        const above = key.replace(/[^/]*$/, "");
        if (isRemoved && above !== key && (await keysOf(objects, above)).length === 1) await drop(objects, above);
        return isRemoved;
      },
    }),
  },
  {
    fault: "removes a directory with its marker",
    row: "removes the marker of a directory, and nothing below it",
    broken: (objects) => ({
      remove: async (key, match) =>
        key.endsWith("/") ? removeBelow(objects, key, match, key) : objects.remove(key, match),
    }),
  },
  {
    fault: "copies a directory with its marker",
    row: "copies the marker of a directory, and nothing below it",
    broken: (objects) => ({
      async put(key, content, when) {
        if (content instanceof Uint8Array || !key.endsWith("/")) return objects.put(key, content, when);
        for (const each of await keysOf(objects, content.copyOf))
          await force(objects, `${key}${each.slice(content.copyOf.length)}`, { copyOf: each });
        return objects.head(key);
      },
    }),
  },
];

async function removeBelow(objects: ObjectStore, key: Key, match: string, prefix: Key): Promise<boolean> {
  const isRemoved = await objects.remove(key, match);
  if (isRemoved) for (const each of await keysOf(objects, prefix)) await drop(objects, each);
  return isRemoved;
}
