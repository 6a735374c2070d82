import type { Key, ObjectFacts, ObjectStore, When } from "./object-store.ts";

/** The reference ObjectStore, for tests and for scratch workspaces: it lives as long as the process. */
export function memoryObjects(contents: Readonly<Record<Key, Uint8Array>> = {}): ObjectStore {
  const stored = new Map<Key, StoredObject>();
  for (const [key, bytes] of Object.entries(contents)) store(stored, key, bytes);
  return {
    isConditional: true,
    isDurable: false,
    isEphemeral: true,
    head: async (key) => stored.get(key)?.facts ?? null,
    async get(key, tag, from, most) {
      const object = stored.get(key);
      return object?.facts.tag === tag ? object.bytes.slice(from, from + most) : null;
    },
    async put(key, content, when) {
      const bytes = content instanceof Uint8Array ? content : stored.get(content.copyOf)?.bytes;
      return bytes && holds(stored.get(key), when) ? store(stored, key, bytes) : null;
    },
    remove: async (key, match) => holds(stored.get(key), { match }) && stored.delete(key),
    async *list(prefix, depth) {
      yield* depth === "all" ? allBelow(stored, prefix) : entriesOf(stored, prefix);
    },
  };
}

interface StoredObject {
  readonly facts: ObjectFacts;
  readonly bytes: Uint8Array;
}

const holds = (object: StoredObject | undefined, when: When): boolean =>
  "match" in when ? object?.facts.tag === when.match : object === undefined;

let lastTag = 0;

function store(stored: Map<Key, StoredObject>, key: Key, bytes: Uint8Array): ObjectFacts {
  const facts = { key, size: bytes.length, modifiedMs: Date.now(), tag: `t${++lastTag}` };
  stored.set(key, { facts, bytes: Uint8Array.from(bytes) });
  return facts;
}

/** Takes the keys at once, so that changes meanwhile neither repeat nor skip one. */
const allBelow = (stored: ReadonlyMap<Key, StoredObject>, prefix: Key): readonly ObjectFacts[] =>
  [...stored.values()].map(({ facts }) => facts).filter(({ key }) => key.startsWith(prefix));

function entriesOf(stored: ReadonlyMap<Key, StoredObject>, prefix: Key): Iterable<ObjectFacts> {
  const entries = new Map<Key, ObjectFacts>();
  for (const facts of allBelow(stored, prefix)) {
    const slash = facts.key.indexOf("/", prefix.length);
    const key = slash < 0 ? facts.key : facts.key.slice(0, slash + 1);
    entries.set(key, { ...facts, key });
  }
  return entries.values();
}
