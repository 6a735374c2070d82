import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { isWithin } from "../../../base/paths.ts";
import { isHashed, type Version, versionOfFacts } from "../../../base/version.ts";
import { OBJECT_MODES, objectDirectoryFacts, objectFileFacts } from "../../../storage/objects/object-facts.ts";
import type { Key, ObjectFacts, ObjectStore } from "../../../storage/objects/object-store.ts";
import type { Facts, SafePath } from "../../../storage/storage.ts";
import type { ObjectName, Place } from "../../../storage/writer.ts";
import type { Prober } from "../../prober.ts";
import type { Change, Counted, Effect, Expected, FileState, WriteContent } from "../change.ts";
import { fileStateOf } from "../file-states.ts";
import { staleFault } from "../steps.ts";
import { treeChecksum } from "../undo/tree-checksum.ts";
import type { ObjectPlaces } from "./object-places.ts";
import { newObject, type PlannedKeys, type PlannedObject, plannedBytes, plannedVersion } from "./planned-keys.ts";
import type { PlainChange } from "./unpacked-writes.ts";

/** Holds what planning a change set works with. */
export interface PlanContext {
  readonly objects: ObjectStore;
  readonly places: ObjectPlaces;
  readonly keys: PlannedKeys;
  readonly prober: Prober;
  /** Lists backups that nobody needs once the change set is recorded. */
  readonly temporary: Key[];
  /** Names a new one of them. */
  newTemporary(): Key;
  /** Counts what is moved into the store. */
  readonly counted: Map<ObjectName, Counted>;
}

/** Describes the objects that were made. */
export interface MadeObjects {
  readonly put: ReadonlyMap<Key, ObjectFacts>;
  readonly kept: ReadonlyMap<Key, ObjectFacts>;
}

/** Describes what a change did, once it is made. */
export type EffectOf = (made: MadeObjects) => Promise<Effect>;

/**
 * Checks a change against the store, as the changes before it leave it, and plans its keys. Returns null when there is
 * nothing to do, and throws `stale` when it does not fit.
 */
export async function planChange(context: PlanContext, change: PlainChange, name: string): Promise<EffectOf | null> {
  const { places, prober } = context;
  await requireSupported(prober, change);
  const object = places.objectFor("objects", name);
  switch (change.kind) {
    case "write":
      return planWrite(context, change, object);
    case "append":
      return planAppend(context, change, object);
    case "move":
    case "copy":
      return planRelocation(context, change, object);
    case "restore":
      return planRestore(context, change, object);
    case "remove":
      return planRemove(context, change, name);
    case "mkdir":
      return planMkdir(context, change);
    case "chmod":
      return null;
    case "adopt":
      throw new Fault("denied", `Cannot apply ${JSON.stringify(change.path)}: its storage has no views of commands`, {
        path: change.path,
      });
  }
}

/** Refuses permissions, which an object does not have, unless they are those that it seems to have. */
export async function requireSupported(prober: Prober, change: Change): Promise<void> {
  if ((change.kind !== "write" && change.kind !== "chmod") || change.mode === undefined) return;
  const { kind, path, mode } = change;
  const isDirectory = kind === "chmod" && (await prober.snapshot(path))?.facts.kind === "directory";
  if ((mode & PERMISSIONS) === OBJECT_MODES[isDirectory ? "directory" : "file"]) return;
  throw new Fault("denied", `Cannot set the permissions of ${JSON.stringify(path)}: its storage has none`, { path });
}

const PERMISSIONS = 0o777;

type ChangeOf<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

async function planWrite(context: PlanContext, change: ChangeOf<"write">, object: ObjectName): Promise<EffectOf> {
  const { path, content, expect, lines, delta, isUnseen } = change;
  const now = await expectAt(context, path, expect);
  if (now?.kind === "directory") throw staleFault(path);
  const will = await newContent(context, path, content);
  const before = now && (await displace(context, now, object));
  const after = await place(context, path, will);
  return async (made) => ({
    action: now ? "replace" : "create",
    path,
    before: before?.(made) ?? null,
    after: after(made),
    lines,
    delta,
    isUnseen: now ? isUnseen : undefined,
  });
}

async function newContent(context: PlanContext, path: SafePath, content: WriteContent): Promise<PlannedObject> {
  const { keys, places, objects } = context;
  if (content instanceof Uint8Array) return newObject(content);
  if (typeof content === "string") return requireBackup(await keys.file(places.keyOf(content)), path);
  const whole = await keys.file(places.keyOf(path));
  if (!whole) throw staleFault(path);
  return newObject((await plannedBytes(objects, path, whole)).subarray(0, content.size));
}

function requireBackup(kept: PlannedObject | null, path: SafePath): PlannedObject {
  if (kept) return kept;
  throw new Fault("not_found", `Cannot restore ${JSON.stringify(path)}: its backup is gone`, { path });
}

/** Writes the whole file again: an object cannot grow. */
async function planAppend(context: PlanContext, change: ChangeOf<"append">, object: ObjectName): Promise<EffectOf> {
  const { path, bytes, expect, lines } = change;
  const { keys, places, objects } = context;
  const whole = await keys.file(places.keyOf(path));
  if (!whole) throw staleFault(path);
  const content = Buffer.concat([await plannedBytes(objects, path, whole), bytes]);
  return planWrite(context, { kind: "write", path, content, expect, lines }, object);
}

/** Copies every object, and removes the originals in a move. */
async function planRelocation(
  context: PlanContext,
  { kind, path, to, expect, replaces }: ChangeOf<"move"> | ChangeOf<"copy">,
  object: ObjectName,
): Promise<EffectOf> {
  if (isWithin(to, path))
    throw new Fault("invalid_input", `Cannot ${kind} ${JSON.stringify(path)} into itself`, { path });
  const moved = await requireAt(context, path, expect);
  const now = await expectAt(context, to, replaces);
  const before = now && (await displace(context, now, object));
  if (kind === "move") await displace(context, moved);
  const after = await placeAll(context, to, moved);
  return async (made) => ({
    action: kind,
    path: to,
    before: before?.(made) ?? null,
    after: kind === "copy" ? await withTree(context, to, after(made)) : after(made),
    from: path,
  });
}

async function planRestore(context: PlanContext, change: ChangeOf<"restore">, object: ObjectName): Promise<EffectOf> {
  const { object: source, path, replaces } = change;
  const restored = await seenAt(context, source);
  if (!restored) throw new Fault("not_found", `Cannot restore ${JSON.stringify(path)}: its backup is gone`, { path });
  const now = await expectAt(context, path, replaces);
  const before = now && (await displace(context, now, object));
  const after = await placeAll(context, path, restored);
  context.temporary.push(...restored.objects.keys());
  return async (made) => ({
    action: "restore",
    path,
    before: before?.(made) ?? null,
    after: await withTree(context, path, after(made)),
    source,
  });
}

async function planRemove(context: PlanContext, change: ChangeOf<"remove">, name: string): Promise<EffectOf | null> {
  const { path, expect, into, unlessInUse } = change;
  const { places } = context;
  const now = await requireAt(context, path, expect);
  if (unlessInUse && [...now.objects.keys()].some((key) => key !== `${now.key}/`)) return null;
  if (into === "nowhere") {
    const before = await displace(context, now);
    return async (made) => ({ action: "delete", path, before: before(made), after: null });
  }
  const isNew = into === "trash" || into === "history";
  const object = isNew ? places.objectFor(into === "trash" ? "trash" : "objects", name) : into;
  const before = await displace(context, now, object);
  return async (made) => ({
    action: "delete",
    path,
    before: await withTree(context, object, before(made)),
    after: null,
  });
}

async function planMkdir({ keys, places }: PlanContext, { path }: ChangeOf<"mkdir">): Promise<EffectOf | null> {
  const key = places.keyOf(path);
  if (await keys.file(key)) throw staleFault(path);
  if (await keys.isDirectory(key)) return null;
  await keys.set(`${key}/`, newObject(new Uint8Array()), undefined);
  const after = directoryState(places.root, key);
  return async () => ({ action: "mkdir", path, before: null, after });
}

/** Describes the file or directory that will be at a place when the changes so far are made. */
interface Seen {
  readonly kind: "file" | "directory";
  readonly key: Key;
  /** Is undefined for a large file that the same change set puts there. */
  readonly version: Version | undefined;
  /** Holds the object, or all objects of the directory. */
  readonly objects: ReadonlyMap<Key, PlannedObject>;
}

async function seenAt({ objects, places, keys }: PlanContext, at: Place): Promise<Seen | null> {
  const key = places.keyOf(at);
  const file = await keys.file(key);
  if (file)
    return {
      kind: "file",
      key,
      version: await plannedVersion(objects, places, key, file),
      objects: new Map([[key, file]]),
    };
  const below = await keys.below(key);
  if (below.size === 0) return null;
  const version = versionOfFacts(objectDirectoryFacts(places.root, key));
  return { kind: "directory", key, version, objects: below };
}

async function expectAt(context: PlanContext, path: SafePath, expect: Expected): Promise<Seen | null> {
  const seen = await seenAt(context, path);
  if (expect === undefined || (seen ? seen.version : null) === expect) return seen;
  throw staleFault(path);
}

async function requireAt(context: PlanContext, path: SafePath, expect: Expected): Promise<Seen> {
  const seen = await expectAt(context, path, expect);
  if (seen) return seen;
  throw staleFault(path);
}

type StateOf = (made: MadeObjects) => FileState | null;

/** Backs up everything at a path and removes it. Without an object, only a failure needs the backup. */
async function displace(context: PlanContext, seen: Seen, object?: ObjectName): Promise<StateOf> {
  const { keys, places, temporary } = context;
  const top = object === undefined ? context.newTemporary() : places.keyOf(object);
  if (object !== undefined) context.counted.set(object, countedIn(seen));
  for (const [key, planned] of seen.objects) {
    const backup = `${top}${key.slice(seen.key.length)}`;
    keys.keep(backup, planned);
    if (object === undefined) temporary.push(backup);
    await keys.set(key, null, backup);
  }
  return ({ kept }) => stateBefore(places.root, seen, object, kept.get(top));
}

const countedIn = ({ objects }: Seen): Counted => {
  const files = [...objects].filter(([key]) => !key.endsWith("/"));
  return { files: files.length, bytes: files.reduce((sum, [, { size }]) => sum + size, 0) };
};

/** A large file is told by its times, and a copy has its own: those of the backup count. */
function stateBefore(root: string, seen: Seen, object?: ObjectName, kept?: ObjectFacts): FileState | null {
  if (seen.kind === "directory") return directoryState(root, seen.key, object);
  const planned = seen.objects.get(seen.key) as PlannedObject;
  const { source = kept } = planned;
  const facts = fileFactsOf(root, seen.key, planned, source);
  const state = fileStateOf({ facts, version: seen.version ?? versionOfFacts(facts) }, object);
  return state && !isHashed(facts) && kept ? { ...state, modifiedMs: kept.modifiedMs } : state;
}

/** Describes an object that never is at its key, because a later change of the set moves or replaces it, as new. */
const fileFactsOf = (root: string, key: Key, { size }: PlannedObject, made?: ObjectFacts): Facts =>
  objectFileFacts(root, { modifiedMs: Date.now(), tag: "", ...made, key, size });

const directoryState = (root: string, key: Key, object?: ObjectName): FileState | null => {
  const facts = objectDirectoryFacts(root, key);
  return fileStateOf({ facts, version: versionOfFacts(facts) }, object);
};

/** Puts one file at a path that is free by then. */
async function place(context: PlanContext, path: SafePath, will: PlannedObject, known?: Version): Promise<StateOf> {
  const { keys, places, objects } = context;
  const key = places.keyOf(path);
  const version = known ?? (await plannedVersion(objects, places, key, will));
  await keys.set(key, will, undefined);
  return ({ put }) => {
    const made = keys.planned.get(key)?.will === will ? put.get(key) : undefined;
    const facts = fileFactsOf(places.root, key, will, made);
    return fileStateOf({ facts, version: isHashed(facts) && version !== undefined ? version : versionOfFacts(facts) });
  };
}

/** Puts a file, or everything in a directory, at a path that is free by then. */
async function placeAll(context: PlanContext, path: SafePath, seen: Seen): Promise<StateOf> {
  const { keys, places } = context;
  const [file] = seen.kind === "file" ? [...seen.objects.values()] : [];
  if (file) return place(context, path, { ...file }, seen.version);
  const top = places.keyOf(path);
  for (const [key, planned] of seen.objects)
    await keys.set(`${top}${key.slice(seen.key.length)}`, { ...planned }, undefined);
  return () => directoryState(places.root, top);
}

/** Adds a checksum to a directory, by which undo sees whether something in it was changed. */
async function withTree({ prober }: PlanContext, at: Place, state: FileState | null): Promise<FileState | null> {
  if (state?.kind !== "directory") return state;
  const entries = await prober.entriesIn(at, LIMITS.fingerprintedEntries, () => false);
  return { ...state, fingerprint: entries ? treeChecksum(entries) : undefined };
}
