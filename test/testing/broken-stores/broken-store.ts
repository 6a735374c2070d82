import type { Key, ObjectContent, ObjectFacts, ObjectStore } from "../../../src/storage/objects/object-store.ts";

/** A store with one fault, and the row of the suite that has to find it. */
export interface BrokenStore {
  readonly fault: string;
  readonly row: string;
  readonly broken: (objects: ObjectStore) => Partial<ObjectStore>;
}

/** Lets every other call that has begun go on. */
export const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export async function getLatest(
  objects: ObjectStore,
  key: Key,
  from: number,
  most: number,
): Promise<Uint8Array | null> {
  return objects.get(key, (await objects.head(key))?.tag ?? "", from, most);
}

/** Writes over whatever is there. */
export async function force(objects: ObjectStore, key: Key, content: ObjectContent): Promise<ObjectFacts | null> {
  const now = await objects.head(key);
  return objects.put(key, content, now ? { match: now.tag } : { absent: true });
}

export async function drop(objects: ObjectStore, key: Key): Promise<boolean> {
  return objects.remove(key, (await objects.head(key))?.tag ?? "");
}

export async function keysOf(objects: ObjectStore, prefix: Key): Promise<readonly Key[]> {
  const keys: Key[] = [];
  for await (const { key } of objects.list(prefix, "all")) keys.push(key);
  return keys;
}
