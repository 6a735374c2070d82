import type { Key, ObjectFacts, ObjectStore } from "../../storage/objects/object-store.ts";

/** Returns a new store with these objects. */
export type MakeObjects = (contents: Readonly<Record<Key, Uint8Array>>) => ObjectStore | Promise<ObjectStore>;

/** Returns a new store with these texts. */
export type MakeTexts = (contents?: Readonly<Record<Key, string>>) => Promise<ObjectStore>;

export const withTexts =
  (make: MakeObjects): MakeTexts =>
  async (contents = {}) =>
    make(Object.fromEntries(Object.entries(contents).map(([key, text]) => [key, Buffer.from(text)])));

export const tagOf = async (objects: ObjectStore, key: Key): Promise<string> => (await objects.head(key))?.tag ?? "";

/** Returns undefined where there is no object. */
export async function textOf(objects: ObjectStore, key: Key): Promise<string | undefined> {
  const { tag = "", size = 0 } = (await objects.head(key)) ?? {};
  const bytes = await objects.get(key, tag, 0, size);
  return bytes ? Buffer.from(bytes).toString() : undefined;
}

export async function listed(objects: ObjectStore, prefix: Key, depth: "entries" | "all"): Promise<ObjectFacts[]> {
  const found: ObjectFacts[] = [];
  for await (const facts of objects.list(prefix, depth)) found.push(facts);
  return found.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

export const keysIn = async (objects: ObjectStore, prefix: Key, depth: "entries" | "all"): Promise<readonly Key[]> =>
  (await listed(objects, prefix, depth)).map(({ key }) => key);
