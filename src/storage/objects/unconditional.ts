import type { Key, ObjectStore, When } from "./object-store.ts";

/**
 * Checks preconditions of a store that ignores them, right before the call. What somebody writes between the two is
 * lost.
 */
export const checkedBefore = (objects: ObjectStore): ObjectStore => ({
  isConditional: objects.isConditional,
  isDurable: objects.isDurable,
  head: (key, options) => objects.head(key, options),
  get: (key, tag, from, most, options) => objects.get(key, tag, from, most, options),
  put: async (key, content, when, options) =>
    (await holds(objects, key, when)) ? objects.put(key, content, when, options) : null,
  remove: async (key, match, options) => (await holds(objects, key, { match })) && objects.remove(key, match, options),
  list: (prefix, depth, options) => objects.list(prefix, depth, options),
});

async function holds(objects: ObjectStore, key: Key, when: When): Promise<boolean> {
  const now = await objects.head(key);
  return "match" in when ? now?.tag === when.match : now === null;
}
