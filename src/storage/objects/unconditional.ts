import type { Key, ObjectStore, When } from "./object-store.ts";

/**
 * Checks preconditions of a store that ignores them, right before the call. What somebody writes between the two is
 * lost. Returns the same for the same store, so that its changes wait for each other.
 */
export function checkedBefore(objects: ObjectStore): ObjectStore {
  const known = wrappers.get(objects) ?? withChecks(objects);
  wrappers.set(objects, known);
  return known;
}

const wrappers = new WeakMap<ObjectStore, ObjectStore>();

const withChecks = (objects: ObjectStore): ObjectStore => ({
  isConditional: objects.isConditional,
  isDurable: objects.isDurable,
  head: (key) => objects.head(key),
  get: (key, tag, from, most) => objects.get(key, tag, from, most),
  put: async (key, content, when) => ((await holds(objects, key, when)) ? objects.put(key, content, when) : null),
  remove: async (key, match) => (await holds(objects, key, { match })) && objects.remove(key, match),
  list: (prefix, depth) => objects.list(prefix, depth),
});

async function holds(objects: ObjectStore, key: Key, when: When): Promise<boolean> {
  const now = await objects.head(key);
  return "match" in when ? now?.tag === when.match : now === null;
}
