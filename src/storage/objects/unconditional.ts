import type { Key, ObjectStore, When } from "./object-store.ts";

/**
 * Checks preconditions of a store that ignores them, right before the call. What somebody writes between the two is
 * lost.
 */
export const checkedBefore = (objects: ObjectStore): ObjectStore => ({
  ...objects,
  put: async (key, content, when) => ((await holds(objects, key, when)) ? objects.put(key, content, when) : null),
  remove: async (key, match) => (await holds(objects, key, { match })) && objects.remove(key, match),
});

async function holds({ head }: ObjectStore, key: Key, when: When): Promise<boolean> {
  const now = await head(key);
  return "match" in when ? now?.tag === when.match : now === null;
}
