import { memoryObjects } from "../../src/storage/objects/memory-objects.ts";
import type { Key, ObjectContent, ObjectFacts, ObjectStore, When } from "../../src/storage/objects/object-store.ts";
import type { Facts, OpenFile } from "../../src/storage/storage.ts";

/** A store as others write one: a class, whose functions need their object, and which asks a server for numbers. */
export class ClassObjects implements ObjectStore {
  readonly isConditional: boolean;
  readonly isDurable = false;
  readonly #objects: ObjectStore;

  constructor(contents: Readonly<Record<Key, Uint8Array>>, isConditional = true) {
    this.#objects = memoryObjects(contents);
    this.isConditional = isConditional;
  }

  head(key: Key): Promise<ObjectFacts | null> {
    return this.#objects.head(key);
  }

  async get(key: Key, tag: string, from: number, most: number): Promise<Uint8Array | null> {
    if (!Number.isSafeInteger(most)) throw new RangeError(`no number of bytes: ${most}`);
    return this.#objects.get(key, tag, from, most);
  }

  put(key: Key, content: ObjectContent, when: When): Promise<ObjectFacts | null> {
    return this.#objects.put(key, content, when);
  }

  remove(key: Key, match: string): Promise<boolean> {
    return this.#objects.remove(key, match);
  }

  list(prefix: Key, depth: "entries" | "all"): AsyncIterable<ObjectFacts> {
    return this.#objects.list(prefix, depth);
  }
}

/** An open file whose function needs it. */
export class ClassFile implements OpenFile {
  readonly facts: Facts;
  readonly #file: OpenFile;

  constructor(file: OpenFile) {
    this.facts = file.facts;
    this.#file = file;
  }

  read(into: Uint8Array, position: number): number | Promise<number> {
    return this.#file.read(into, position);
  }
}
