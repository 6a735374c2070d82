import { STORE_NAME } from "../../base/product.ts";
import { getRange } from "../objects/get-range.ts";
import { memoryObjects } from "../objects/memory-objects.ts";
import type { Key, ObjectContent, ObjectStore } from "../objects/object-store.ts";

/** Keeps the backups of a store in memory, where nothing but this process can change them, and lets its history end. */
export function withMemoryBackups(files: ObjectStore): ObjectStore {
  const backups = memoryObjects();
  const storeOf = (key: Key): ObjectStore => (key.startsWith(`${STORE_NAME}/`) ? backups : files);
  return {
    isConditional: files.isConditional,
    isDurable: false,
    isEphemeral: true,
    head: (key, options) => storeOf(key).head(key, options),
    get: (key, tag, from, most, options) => storeOf(key).get(key, tag, from, most, options),
    async put(key, content, when, options) {
      const source = content instanceof Uint8Array ? storeOf(key) : storeOf(content.copyOf);
      const given = source === storeOf(key) ? content : await bytesOf(source, content);
      return given && storeOf(key).put(key, given, when, options);
    },
    remove: (key, match, options) => storeOf(key).remove(key, match, options),
    list: (prefix, depth, options) => storeOf(prefix).list(prefix, depth, options),
  };
}

async function bytesOf(store: ObjectStore, content: ObjectContent): Promise<Uint8Array | null> {
  if (content instanceof Uint8Array) return content;
  const facts = await store.head(content.copyOf);
  return facts && getRange(store, facts, 0, facts.size);
}
