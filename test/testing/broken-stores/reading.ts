import type { Key } from "../../../src/storage/objects/object-store.ts";
import { type BrokenStore, getLatest, soon } from "./broken-store.ts";

const LOOK_ALIKE = "keeps keys apart that look alike";

export const READING: readonly BrokenStore[] = [
  {
    fault: "describes directories as objects",
    row: "describes an object, and nothing where there is none",
    broken: (objects) => ({
      async head(key) {
        for await (const facts of objects.list(`${key}/`, "all")) return { ...facts, key };
        return objects.head(key);
      },
    }),
  },
  {
    fault: "includes the last byte of a range",
    row: "reads 3 bytes from 0 on",
    broken: (objects) => ({ get: (key, tag, from, most) => objects.get(key, tag, from, most + 1) }),
  },
  {
    fault: "begins a range one byte late",
    row: "reads 4 bytes from 3 on",
    broken: (objects) => ({ get: (key, tag, from, most) => objects.get(key, tag, from && from + 1, most) }),
  },
  {
    fault: "has no answer to a range at the end",
    row: "reads 5 bytes from 10 on",
    broken: (objects) => ({
      async get(key, tag, from, most) {
        const bytes = await objects.get(key, tag, from, most);
        return bytes?.length === 0 && from > 0 ? null : bytes;
      },
    }),
  },
  {
    fault: "answers in pieces",
    row: "reads 1048576 bytes from 0 on",
    broken: (objects) => ({ get: (key, tag, from, most) => objects.get(key, tag, from, Math.min(most, 65_536)) }),
  },
  {
    fault: "reads whatever is there, without a look at the tag",
    row: "reads only the object with this tag",
    broken: (objects) => ({ get: async (key, _, from, most) => getLatest(objects, key, from, most) }),
  },
  {
    fault: "reads the second half of another content",
    row: "never mixes two contents in one read",
    broken: (objects) => ({
      async get(key, tag, from, most) {
        const half = Math.ceil(most / 2);
        const first = await objects.get(key, tag, from, half);
        await soon();
        const second = await getLatest(objects, key, from + half, most - half);
        return first && Buffer.concat([first, second ?? Buffer.alloc(0)]);
      },
    }),
  },
  {
    fault: "stores text instead of bytes",
    row: "keeps every byte",
    broken: (objects) => ({
      put: (key, content, when) =>
        objects.put(key, content instanceof Uint8Array ? Buffer.from(Buffer.from(content).toString()) : content, when),
    }),
  },
  {
    fault: "stores nothing for an object without bytes",
    row: "keeps an object without bytes",
    broken: (objects) => ({
      put: async (key, content, when) =>
        content instanceof Uint8Array && content.length === 0
          ? { key, size: 0, modifiedMs: Date.now(), tag: "empty" }
          : objects.put(key, content, when),
    }),
  },
  { fault: "folds the case of keys", row: LOOK_ALIKE, broken: withKeys((key) => key.toLowerCase()) },
  { fault: "normalises keys", row: LOOK_ALIKE, broken: withKeys((key) => key.normalize("NFC")) },
  { fault: "decodes keys", row: LOOK_ALIKE, broken: withKeys(decodeURIComponent) },
  { fault: "ignores a slash at the end of a key", row: LOOK_ALIKE, broken: withKeys((key) => key.replace(/\/$/, "")) },
];

/** Looks every key up in another spelling. */
function withKeys(spell: (key: Key) => Key): BrokenStore["broken"] {
  return (objects) => ({
    head: async (key) => (await objects.head(key)) ?? objects.head(spell(key)),
    get: async (key, _, from, most) => getLatest(objects, spell(key), from, most),
  });
}
