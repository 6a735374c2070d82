import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { isHashed, type Version, versionOfBytes, versionOfFacts } from "../../../base/version.ts";
import { getRange } from "../../../storage/objects/get-range.ts";
import { objectFileFacts } from "../../../storage/objects/object-facts.ts";
import type { Key, ObjectContent, ObjectFacts, ObjectStore } from "../../../storage/objects/object-store.ts";
import { SPECIAL_NAMES } from "../../../storage/place.ts";
import { staleFault } from "../steps.ts";
import type { ObjectPlaces } from "./object-places.ts";

/** Describes what will be at a key: new bytes, or those of an object that exists now. */
export interface PlannedObject {
  readonly content: ObjectContent;
  readonly size: number;
  /** Describes the object that has this content now. */
  readonly source?: ObjectFacts;
}

/** Holds what becomes of one key. */
interface PlannedKey {
  readonly was: ObjectFacts | null;
  /** Holds a copy of what was there. */
  readonly backup: Key | undefined;
  will: PlannedObject | null;
}

/**
 * Overlays planned changes on the keys of a store. Nothing is made before all changes are planned, so that every
 * content is still where it was, and every key is written once.
 */
export interface PlannedKeys {
  /** Returns the file that will be at a key. */
  file(key: Key): Promise<PlannedObject | null>;
  /** Returns everything that will lie below a directory, its own mark included, and leaves out keys that are no paths. */
  below(key: Key): Promise<ReadonlyMap<Key, PlannedObject>>;
  /** Checks that something will lie below a key. */
  isDirectory(key: Key): Promise<boolean>;
  /** Plans a key. The backup is that of what is there; its content is taken before the first key is changed. */
  set(key: Key, will: PlannedObject | null, backup: Key | undefined): Promise<void>;
  /** Copies a content into the store before anything is changed. */
  keep(backup: Key, object: PlannedObject): void;
  readonly planned: ReadonlyMap<Key, PlannedKey>;
  readonly kept: ReadonlyMap<Key, PlannedObject>;
}

export function createPlannedKeys(objects: ObjectStore, { pathOf }: ObjectPlaces): PlannedKeys {
  const planned = new Map<Key, PlannedKey>();
  const kept = new Map<Key, PlannedObject>();
  const { head, allBelow } = createFoundKeys(objects);
  return {
    planned,
    kept,
    async file(key) {
      const known = planned.get(key);
      if (known) return known.will;
      const facts = await head(key);
      return facts && existing(facts);
    },
    below: async (key) => overlaid(await allBelow(`${key}/`), planned, `${key}/`),
    async isDirectory(key) {
      if ([...planned].some(([each, { will }]) => will && each.startsWith(`${key}/`))) return true;
      for await (const facts of objects.list(`${key}/`, "all")) if (!planned.has(facts.key)) return true;
      return false;
    },
    async set(key, will, backup) {
      const known = planned.get(key);
      if (known) return void (known.will = will);
      requireRoom(planned.size + 1);
      const was = await head(key);
      if (was && backup === undefined) throw staleFault(pathOf(key));
      planned.set(key, { was, backup: was ? backup : undefined, will });
    },
    keep: (backup, object) => void kept.set(backup, object),
  };
}

/** Remembers what was found, so that the tag that is expected is that of the content that was checked. */
function createFoundKeys(objects: ObjectStore) {
  const found = new Map<Key, ObjectFacts | null>();
  /** Holds the prefixes below which all that was not found does not exist. A put checks that again. */
  const wholePrefixes = new Set<Key>();
  const isListed = (key: Key): boolean => [...wholePrefixes].some((prefix) => key.startsWith(prefix));
  const remember = (key: Key, facts: ObjectFacts | null): ObjectFacts | null => {
    const first = found.get(key);
    if (first !== undefined) return first;
    found.set(key, facts);
    return facts;
  };
  return {
    async head(key: Key): Promise<ObjectFacts | null> {
      const facts = found.get(key);
      if (facts !== undefined) return facts;
      return remember(key, isListed(key) ? null : await objects.head(key));
    },
    async allBelow(prefix: Key): Promise<readonly ObjectFacts[]> {
      const below: ObjectFacts[] = [];
      for await (const listed of objects.list(prefix, "all")) {
        const facts = isPlain(listed.key) ? remember(listed.key, listed) : null;
        if (!facts) continue;
        requireRoom(below.length + 1);
        below.push(facts);
      }
      wholePrefixes.add(prefix);
      return below;
    },
  };
}

/** Returns what lies below a prefix once the planned changes are made. */
function overlaid(
  found: readonly ObjectFacts[],
  planned: ReadonlyMap<Key, PlannedKey>,
  prefix: Key,
): ReadonlyMap<Key, PlannedObject> {
  const below = new Map(found.map((facts) => [facts.key, existing(facts)]));
  for (const [key, { will }] of planned) {
    if (!key.startsWith(prefix)) continue;
    if (will) below.set(key, will);
    else below.delete(key);
  }
  return below;
}

function requireRoom(count: number): void {
  const most = LIMITS.objectsPerSet;
  if (count > most) throw new Fault("too_large", `Cannot change more than ${most} objects of this storage in one call`);
}

/** Refuses keys that lead elsewhere on a server that takes them for paths. No path of ours leads to them either. */
const isPlain = (key: Key): boolean =>
  !key
    .replace(/\/$/, "")
    .split("/")
    .some((name) => SPECIAL_NAMES.has(name));

const existing = (facts: ObjectFacts): PlannedObject => ({
  content: { copyOf: facts.key },
  size: facts.size,
  source: facts,
});

export const newObject = (bytes: Uint8Array): PlannedObject => ({ content: bytes, size: bytes.length });

/** Returns the version that a reader of the file gets; undefined for a large one that does not exist yet. */
export async function plannedVersion(
  objects: ObjectStore,
  { root, pathOf }: ObjectPlaces,
  key: Key,
  object: PlannedObject,
): Promise<Version | undefined> {
  const { content, source, size } = object;
  if (isHashed({ kind: "file", size })) return versionOfBytes(await plannedBytes(objects, pathOf(key), object));
  if (content instanceof Uint8Array || source?.key !== key) return undefined;
  return versionOfFacts(objectFileFacts(root, source));
}

/** Reads a planned content. Throws `stale` when it was changed meanwhile. */
export async function plannedBytes(
  objects: ObjectStore,
  path: Parameters<typeof staleFault>[0],
  { content, source, size }: PlannedObject,
): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content;
  if (size > LIMITS.editBytes)
    throw new Fault("too_large", `Cannot change ${JSON.stringify(path)}: this storage only writes whole files`, {
      path,
    });
  const bytes = source && (await getRange(objects, source, 0, size));
  if (!bytes) throw staleFault(path);
  return bytes;
}
