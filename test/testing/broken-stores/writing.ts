import type { Key, ObjectFacts } from "../../../src/storage/objects/object-store.ts";
import { type BrokenStore, force, getLatest } from "./broken-store.ts";

export const WRITING: readonly BrokenStore[] = [
  {
    fault: "ignores preconditions",
    row: "writes only when the precondition holds",
    broken: (objects) => ({ put: (key, content) => force(objects, key, content) }),
  },
  {
    fault: "ignores the precondition of a copy",
    row: "copies only when the precondition holds",
    broken: (objects) => ({
      put: (key, content, when) =>
        content instanceof Uint8Array ? objects.put(key, content, when) : force(objects, key, content),
    }),
  },
  {
    fault: "ignores the tag that a copy must replace",
    row: "copies nothing over a later version",
    broken: (objects) => ({
      put: (key, content, when) =>
        content instanceof Uint8Array || "absent" in when
          ? objects.put(key, content, when)
          : force(objects, key, content),
    }),
  },
  {
    fault: "takes any tag that an object once had",
    row: "writes nothing over a later version",
    broken: (objects) => {
      const known = new Set<string>();
      return {
        async head(key) {
          const facts = await objects.head(key);
          if (facts) known.add(facts.tag);
          return facts;
        },
        put: async (key, content, when) =>
          "match" in when && known.has(when.match) && (await objects.head(key))
            ? force(objects, key, content)
            : objects.put(key, content, when),
      };
    },
  },
  {
    fault: "makes an empty object of a copy of nothing",
    row: "copies nothing where there is nothing to copy",
    broken: (objects) => ({
      put: async (key, content, when) =>
        content instanceof Uint8Array || (await objects.head(content.copyOf))
          ? objects.put(key, content, when)
          : objects.put(key, new Uint8Array(), when),
    }),
  },
  {
    fault: "copies by reference",
    row: "keeps a copy when its source is changed",
    broken: (objects) => {
      const references = new Map<Key, Key>();
      const target = (key: Key): Key => references.get(key) ?? key;
      return {
        async put(key, content, when) {
          const facts = await objects.put(key, content, when);
          if (facts && !(content instanceof Uint8Array)) references.set(key, content.copyOf);
          return facts;
        },
        get: async (key, _, from, most) => getLatest(objects, target(key), from, most),
      };
    },
  },
  {
    fault: "keeps the buffer of the caller",
    row: "copies the bytes it is given",
    broken: (objects) => {
      const buffers = new Map<string, Uint8Array>();
      return {
        async put(key, content, when) {
          const facts = await objects.put(key, content, when);
          if (facts && content instanceof Uint8Array) buffers.set(facts.tag, content);
          return facts;
        },
        get: async (key, tag, from, most) =>
          buffers.get(tag)?.slice(from, from + most) ?? objects.get(key, tag, from, most),
      };
    },
  },
  {
    fault: "answers a write with the tag before it",
    row: "gives another content another tag",
    broken: (objects) => ({
      async put(key, content, when) {
        const facts = await objects.put(key, content, when);
        return facts && "match" in when ? { ...facts, tag: when.match } : facts;
      },
    }),
  },
  {
    fault: "makes the tag of the size",
    row: "gives each of many quick writes of the same size its own tag",
    broken: withTags(({ size }) => `s${size}`),
  },
  {
    fault: "makes the tag of size and second",
    row: "gives each of many quick writes of the same size its own tag",
    broken: withTags(({ size, modifiedMs }) => `${size}-${Math.floor(modifiedMs / 1000)}`),
  },
  {
    fault: "remembers that there was nothing",
    row: "shows a write at once",
    broken: (objects) => {
      const absent = new Set<Key>();
      return {
        async head(key) {
          const facts = absent.has(key) ? null : await objects.head(key);
          if (!facts) absent.add(key);
          return facts;
        },
      };
    },
  },
  {
    fault: "reads from a replica that is one write behind",
    row: "shows a write at once",
    broken: (objects) => {
      const replica = new Map<Key, ObjectFacts | null>();
      return {
        head: async (key) => (replica.has(key) ? (replica.get(key) ?? null) : objects.head(key)),
        async put(key, content, when) {
          const before = await objects.head(key);
          const facts = await objects.put(key, content, when);
          if (facts) replica.set(key, before);
          return facts;
        },
      };
    },
  },
];

/** Makes the tags of what else is known about an object. */
function withTags(tagOf: (facts: ObjectFacts) => string): BrokenStore["broken"] {
  return (objects) => ({
    async head(key) {
      const facts = await objects.head(key);
      return facts && { ...facts, tag: tagOf(facts) };
    },
    async put(key, content, when) {
      const now = await objects.head(key);
      const isRight = "match" in when ? now && tagOf(now) === when.match : !now;
      const facts = isRight ? await force(objects, key, content) : null;
      return facts && { ...facts, tag: tagOf(facts) };
    },
  });
}
