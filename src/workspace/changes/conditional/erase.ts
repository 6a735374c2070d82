import { inParallel } from "../../../base/in-parallel.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { Key, ObjectFacts, ObjectStore } from "../../../storage/objects/object-store.ts";

/** Erases objects of the store, which only Holdfast writes to; those that are gone are fine. */
export const eraseAll = (
  objects: ObjectStore,
  keys: readonly Key[],
  known: ReadonlyMap<Key, ObjectFacts> = new Map(),
): Promise<void> =>
  inParallel(keys, LIMITS.storeCallsAtOnce, async (key) => {
    const now = known.get(key) ?? (await objects.head(key));
    if (now) await objects.remove(key, now.tag);
  });

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
