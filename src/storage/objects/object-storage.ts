import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import { STORE_NAME } from "../../base/product.ts";
import type { Facts, SafePath } from "../facts.ts";
import { getRange } from "./get-range.ts";
import { type GuardedStore, guardedStore } from "./guarded-store.ts";
import { objectDirectoryFacts, objectFileFacts } from "./object-facts.ts";
import type { Key, ObjectFacts, ObjectStore } from "./object-store.ts";
import { SPECIAL_NAMES } from "../place.ts";
import { type Absent, absentDestination, foundOrNull, innermostRoot, isAbsent } from "../resolve.ts";
import type { DirectoryHandle, Entry, MountableStorage, OpenFile, StorageReader, Writer } from "../storage.ts";
import { requireObjectStore } from "./required-store.ts";
import { checkedBefore } from "./unconditional.ts";
import { createMemoryState } from "../memory/state.ts";
import type { State } from "../state.ts";
import type { Guarantees } from "../writer.ts";

export interface ObjectStorageOptions {
  /**
   * Allows changes where the store ignores preconditions: what somebody else writes at the same moment is lost. The
   * default is to read only.
   */
  readonly allowUnconditionalWrites?: boolean | undefined;
  /** Caps the wait for one answer of the store, in milliseconds; the default is a minute. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Makes a storage of an object store. Names between slashes are directories, as long as something lies below them or a
 * key that ends in "/" marks them. There are no links, no permissions and no hints. Backups lie in the store itself,
 * below a name that no path leads to. Its root, such as "//bucket", is the path of nothing on any disk.
 */
export function objectStorage(objects: ObjectStore, options: ObjectStorageOptions = {}): MountableStorage {
  requireObjectStore(objects);
  const { isConditional } = objects;
  const guarded = guardedStore(isConditional ? objects : checkedBefore(objects), {
    source: objects,
    mostMs: options.timeoutMs,
  });
  return {
    mount(root) {
      const writer = isConditional || options.allowUnconditionalWrites ? writerOf(guarded, root) : null;
      const reading = (store: GuardedStore): StorageReader => ({
        ...readingOf({ objects: store, root, prefix: "" }),
        isWritable: () => writer !== null,
      });
      return {
        ...reading(guarded),
        during: (call) => reading(guarded.during(call)),
        writer,
        ...(objects.isEphemeral && { state: memoryStateOf(objects) }),
      };
    },
  };
}

/** Returns the same state for the same store: whoever mounts it again sees its history. */
function memoryStateOf(objects: ObjectStore): State {
  const state = memoryStates.get(objects) ?? createMemoryState();
  memoryStates.set(objects, state);
  return state;
}

const memoryStates = new WeakMap<ObjectStore, State>();

/** Holds what reading needs. All keys begin with the prefix, which paths leave out. */
interface Reading {
  readonly objects: ObjectStore;
  readonly root: string;
  readonly prefix: Key;
}

function writerOf(objects: GuardedStore, root: string): Writer {
  const { isConditional, isDurable: durable } = objects;
  const backups = (store: GuardedStore): StorageReader =>
    readingOf({ objects: store, root: `${root}/${STORE_NAME}`, prefix: `${STORE_NAME}/` });
  return {
    kind: "conditional",
    guarantees: { ...GUARANTEES, file: isConditional ? "conditional" : "none", durable },
    objects,
    backups: { ...backups(objects), during: (call) => backups(objects.during(call)) },
  };
}

const GUARANTEES: Omit<Guarantees, "file" | "durable"> = {
  changeSet: "compensated",
  rename: "copies",
  links: false,
  permissions: false,
  times: false,
  directories: false,
};

function readingOf(reading: Reading): StorageReader {
  const { root } = reading;
  const find = async (path: SafePath): Promise<Found | null> => foundOrNull(await resolvePath(reading, path), path);
  const open = async (path: SafePath): Promise<DirectoryHandle> =>
    openDirectory(reading, requireFound(await find(path), path));
  return {
    capabilities: { symlinks: false, permissions: false, containment: "object-store" },
    roots: [root],
    stat: async (path) => (await find(path))?.facts ?? null,
    async destination(path) {
      const found = await resolvePath(reading, path);
      return isAbsent(found)
        ? absentDestination(found, path)
        : { place: found.facts.path, facts: found.facts, missing: [] };
    },
    withFile: (path, use) => withOpened(async () => openFile(reading, requireFound(await find(path), path)), use),
    withDirectory: async (path, use) => use(await open(path)),
    openDirectory: open,
    onHintsLost: () => () => {},
    space: () => null,
    isWritable: () => false,
  };
}

/** Describes what is at a key. */
interface Found {
  readonly key: Key;
  readonly facts: Facts;
  /** Is undefined for a directory. */
  readonly tag?: string;
}

/** Looks a plain path up at once. Others, and what does not exist, are followed name by name. */
async function resolvePath(reading: Reading, path: SafePath): Promise<Found | Absent> {
  const segments = innermostRoot([reading.root], path)?.segments;
  if (!segments) throw new Fault("outside_workspace", `Cannot use ${JSON.stringify(path)}: it is not in this storage`);
  const isPlain = !segments.some((segment) => SPECIAL_NAMES.has(segment));
  return (isPlain && (await findKey(reading, segments.join("/")))) || followNames(reading, path, segments);
}

async function followNames(reading: Reading, path: SafePath, segments: readonly string[]): Promise<Found | Absent> {
  const names: string[] = [];
  for (const [nth, segment] of segments.entries()) {
    if (segment === ".") continue;
    if (segment === "..") {
      if (names.pop() === undefined)
        throw new Fault("outside_workspace", `Cannot use ${JSON.stringify(path)}: it leads outside the roots`, {
          path,
        });
      continue;
    }
    const found = await findKey(reading, [...names, segment].join("/"));
    const rest = segments.slice(nth + 1);
    if (!found) return absentAt(reading, names, [segment, ...rest]);
    if (found.tag === undefined) names.push(segment);
    else if (rest.length === 0) return found;
    else
      throw new Fault("not_a_directory", `Cannot open ${JSON.stringify(path)}: ${JSON.stringify(segment)} is a file`);
  }
  return directoryAt(reading, names.join("/"));
}

const absentAt = (reading: Reading, above: readonly string[], names: readonly string[]): Absent => ({
  kind: "absent",
  parent: directoryAt(reading, above.join("/")).facts.path,
  names: names.filter((name) => name !== "."),
  isLinked: false,
});

const directoryAt = ({ root }: Reading, key: Key): Found => ({ key, facts: objectDirectoryFacts(root, key) });

async function findKey(reading: Reading, key: Key): Promise<Found | null> {
  const { objects, prefix } = reading;
  if (key === "") return directoryAt(reading, key);
  if (isHidden(reading, key)) return null;
  const facts = await objects.head(`${prefix}${key}`);
  if (facts) return fileAt(reading, facts, key);
  for await (const _ of objects.list(`${prefix}${key}/`, "entries")) return directoryAt(reading, key);
  return null;
}

/** Checks for the backups, which are only read through a prefix of their own. */
const isHidden = ({ prefix }: Reading, key: Key): boolean => prefix === "" && key.split("/")[0] === STORE_NAME;

function requireFound(found: Found | null, path: SafePath): Found {
  if (found) return found;
  throw new Fault("not_found", `Cannot open ${JSON.stringify(path)}: it does not exist`, { path });
}

interface OpenObject extends OpenFile {
  /** Checks that somebody wrote the object before anything of it was read: another one can be opened instead. */
  isOvertaken(): boolean;
}

async function withOpened<T>(open: () => Promise<OpenObject>, use: (file: OpenFile) => T | Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const file = await open();
    try {
      return await use(file);
    } catch (error) {
      if (!file.isOvertaken() || tries >= LIMITS.overtakenReads) throw error;
    }
  }
}

/** Reads this very object: once it is written again, it has another tag, and a read fails. */
function openFile({ objects, prefix }: Reading, { key, facts, tag }: Found): OpenObject {
  const { path, size } = facts;
  if (tag === undefined)
    throw new Fault("not_a_file", `Cannot open ${JSON.stringify(path)}: it is a directory`, { path });
  let read: "nothing" | "some" | "overtaken" = "nothing";
  return {
    facts,
    isOvertaken: () => read === "overtaken",
    async read(into, position) {
      if (into.length === 0 || position >= size) return 0;
      const bytes = await getRange(objects, { key: `${prefix}${key}`, tag, size }, position, into.length);
      if (!bytes && read === "nothing") read = "overtaken";
      if (!bytes) throw new Fault("stale", `Cannot read ${JSON.stringify(path)}: it was changed meanwhile`, { path });
      read = "some";
      into.set(bytes);
      return bytes.length;
    },
  };
}

async function openDirectory(reading: Reading, { key, facts, tag }: Found): Promise<DirectoryHandle> {
  const { path } = facts;
  if (tag !== undefined)
    throw new Fault("not_a_directory", `Cannot open ${JSON.stringify(path)}: it is a file`, { path });
  return directoryHandle(reading, key, await listDirectory(reading, key));
}

type Listing = ReadonlyMap<string, Found>;

/** Answers from one listing: that of `entries`, or the one that it was opened with. */
function directoryHandle(reading: Reading, key: Key, opened?: Listing): DirectoryHandle {
  const { facts } = directoryAt(reading, key);
  let listing = opened;
  let isFresh = opened !== undefined;
  const enter = ({ name }: Entry): DirectoryHandle => {
    const found = listing?.get(name);
    if (found && found.tag === undefined) return directoryHandle(reading, found.key);
    throw new Fault("swapped", `Cannot open ${JSON.stringify(childOf(facts.path, name))}: it is no directory`);
  };
  return {
    path: facts.path,
    facts: () => facts,
    async entries() {
      listing = isFresh && listing ? listing : await listDirectory(reading, key);
      isFresh = false;
      return [...listing].map(([name, found]) => ({ name, kind: found.facts.kind }));
    },
    stat: ({ name }) => listing?.get(name)?.facts ?? null,
    openDirectory: enter,
    withDirectory: async (entry, use) => use(enter(entry)),
    watch() {
      throw new Fault("denied", `Cannot watch ${JSON.stringify(facts.path)}: this storage does not report changes`);
    },
    close: () => {},
  };
}

/** Lists the entries of a directory. Where a file and a directory have the same name, only the file is reached. */
async function listDirectory(reading: Reading, key: Key): Promise<Listing> {
  const above = key === "" ? "" : `${key}/`;
  const found = new Map<string, Found>();
  for await (const object of reading.objects.list(`${reading.prefix}${above}`, "entries")) {
    const { name, isDirectory } = nameOf(object, reading.prefix.length + above.length);
    const below = `${above}${name}`;
    if (SPECIAL_NAMES.has(name) || isHidden(reading, below) || (isDirectory && found.has(name))) continue;
    found.set(name, isDirectory ? directoryAt(reading, below) : fileAt(reading, object, below));
  }
  return found;
}

function nameOf({ key }: ObjectFacts, from: number): { readonly name: string; readonly isDirectory: boolean } {
  const isDirectory = key.endsWith("/");
  return { name: key.slice(from, isDirectory ? -1 : undefined), isDirectory };
}

const fileAt = ({ root }: Reading, facts: ObjectFacts, key: Key): Found => ({
  key,
  facts: objectFileFacts(root, { ...facts, key }),
  tag: facts.tag,
});
