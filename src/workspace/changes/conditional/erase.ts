import type { Key, ObjectStore } from "../../../storage/objects/object-store.ts";

/** Erases objects of the store, which only Holdfast writes to; those that are gone are fine. */
export async function eraseAll(objects: ObjectStore, keys: readonly Key[]): Promise<void> {
  for (const key of keys) {
    const now = await objects.head(key);
    if (now) await objects.remove(key, now.tag);
  }
}

/** Lists an object and everything below it. */
export async function keysBelow(objects: ObjectStore, key: Key): Promise<readonly Key[]> {
  const keys = [key];
  for await (const facts of objects.list(`${key}/`, "all")) keys.push(facts.key);
  return keys;
}

/** Adds up the sizes of everything below a directory. */
export async function treeBytes(objects: ObjectStore, key: Key): Promise<number> {
  let bytes = 0;
  for await (const { size } of objects.list(`${key}/`, "all")) bytes += size;
  return bytes;
}
