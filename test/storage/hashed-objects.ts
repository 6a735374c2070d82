import { hash } from "node:crypto";
import { memoryObjects } from "../../src/storage/objects/memory-objects.ts";
import type { Key, ObjectFacts, ObjectStore } from "../../src/storage/objects/object-store.ts";

/** A store whose tags are hashes of the content, as those of S3: two objects, or two versions, may share one. */
export function hashedObjects(contents: Readonly<Record<Key, Uint8Array>>): ObjectStore {
  const objects = memoryObjects(contents);
  const hashed = async ({ key, tag, size, ...rest }: ObjectFacts): Promise<ObjectFacts> => {
    const bytes = await objects.get(key, tag, 0, size);
    return { ...rest, key, size, tag: bytes ? hash("sha256", bytes, "hex") : "" };
  };
  /** Returns the tag that the store has for the one with this hash. */
  const tagOf = async (key: Key, wanted: string): Promise<string> => {
    const facts = await objects.head(key);
    return facts && (await hashed(facts)).tag === wanted ? facts.tag : "";
  };
  const orNull = (facts: ObjectFacts | null): Promise<ObjectFacts> | null => facts && hashed(facts);
  return {
    ...objects,
    head: async (key) => orNull(await objects.head(key)),
    get: async (key, tag, from, most) => objects.get(key, await tagOf(key, tag), from, most),
    put: async (key, content, when) =>
      orNull(await objects.put(key, content, "match" in when ? { match: await tagOf(key, when.match) } : when)),
    remove: async (key, match) => objects.remove(key, await tagOf(key, match)),
    async *list(prefix, depth) {
      for await (const facts of objects.list(prefix, depth)) yield hashed(facts);
    },
  };
}
