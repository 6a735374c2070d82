import { hash } from "node:crypto";
import { inParallel } from "../../../base/in-parallel.ts";
import { LIMITS } from "../../../base/limits.ts";
import { STORE_NAME } from "../../../base/product.ts";
import type { GuardedStore } from "../../../storage/objects/guarded-store.ts";
import type { Key, ObjectContent, ObjectFacts, ObjectStore } from "../../../storage/objects/object-store.ts";
import type { State } from "../../../storage/state.ts";
import type { ObjectName } from "../../../storage/writer.ts";
import type { Prober } from "../../prober.ts";
import type { ChangeRecord, ChangeSet, Counted, Effect } from "../change.ts";
import type { CommitOptions } from "../commit.ts";
import type { Journal, JournalEntry } from "../journal/journal.ts";
import { newChangeId } from "../journal/change-id.ts";
import { staleFault } from "../steps.ts";
import { eraseAll } from "./erase.ts";
import type { ObjectPlaces } from "./object-places.ts";
import type { ObjectTrash } from "./object-trash.ts";
import { beginPending, type PendingSet, type Put } from "./pending-puts.ts";
import { withUnpackedWrites } from "./unpacked-writes.ts";
import { type EffectOf, type PlanContext, planChange } from "./plan-changes.ts";
import { createPlannedKeys, type PlannedKeys } from "./planned-keys.ts";
import type { StoreIdentity } from "./store-identity.ts";
import { undoPuts } from "./recover-puts.ts";

/** Holds what a commit to an object store works with. */
export interface PutCommitter {
  readonly objects: GuardedStore;
  readonly places: ObjectPlaces;
  readonly identity: StoreIdentity;
  readonly prober: Prober;
  readonly trash: ObjectTrash;
  readonly state: State;
  readonly journal: Journal;
}

/**
 * Makes all changes, or puts back what it made. First plans every key against what is there now, then journals the plan,
 * copies what will be replaced, and writes key by key, each only if it is still what was planned. Throws `stale` when
 * one is not: then plan again.
 */
export async function commitPuts(
  committer: PutCommitter,
  set: ChangeSet,
  how: CommitOptions,
  tag: string,
): Promise<ChangeRecord> {
  const store = await committer.identity.require();
  const planned = await planSet(whileUnchanged(committer, how), set, how, tag);
  const { root } = committer.places;
  const { puts, kept, temporary } = planned;
  const plan = { root, store, puts: puts.map(({ put }) => put), backups: [...kept.keys()], temporary };
  const pending = beginPending(committer.state, tag, plan);
  const attempt: Attempt = { pending, begun: 0 };
  try {
    const made = await makeAll(committer, planned, attempt, how);
    const effects: Effect[] = [];
    for (const effectOf of planned.effects) effects.push(await effectOf(made));
    const record = await recordSet(committer, { set, effects, counted: planned.counted }, pending, how);
    await eraseAll(committer.objects, temporary, made.kept).then(pending.end).catch(pending.abandon);
    return record;
  } catch (error) {
    await undoPuts(committer, pending, attempt.begun).catch(pending.abandon);
    throw error;
  }
}

/** Waits no longer than the call. Once something is changed, only the limit of each answer counts. */
const whileUnchanged = (committer: PutCommitter, { signal }: CommitOptions): PutCommitter =>
  signal ? { ...committer, objects: committer.objects.during(signal) } : committer;

interface Attempt {
  readonly pending: PendingSet;
  /** Counts the puts that were begun, in the order of the plan: whether made, refused or without an answer. */
  begun: number;
}

/** Holds a change set as operations on keys. */
interface PlannedSet extends Pick<PlannedKeys, "kept"> {
  readonly puts: readonly PlannedPut[];
  /** Lists the tags that copied objects must still have afterwards. */
  readonly sources: readonly ObjectFacts[];
  readonly temporary: readonly Key[];
  readonly effects: readonly EffectOf[];
  readonly counted: ReadonlyMap<ObjectName, Counted>;
}

interface PlannedPut {
  readonly put: Put;
  /** Is null for a removal. */
  readonly content: ObjectContent | null;
}

async function planSet(committer: PutCommitter, set: ChangeSet, how: CommitOptions, tag: string): Promise<PlannedSet> {
  const { objects, places, prober } = committer;
  const keys = createPlannedKeys(objects, places);
  const temporary: Key[] = [];
  const counted = new Map<ObjectName, Counted>();
  let last = 0;
  const newTemporary = (): Key => places.keyOf(places.objectFor("objects", `${tag}-old-${++last}`));
  const context: PlanContext = { objects, places, prober, keys, temporary, newTemporary, counted };
  const effects: EffectOf[] = [];
  for (const [nth, change] of (await withUnpackedWrites(set.changes)).entries()) {
    await how.checkpoint();
    const effect = await planChange(context, change, `${tag}-${nth}`);
    if (effect) effects.push(effect);
  }
  return { puts: putsOf(keys), sources: sourcesOf(keys), kept: keys.kept, temporary, effects, counted };
}

/** Sorts the puts by phase. A key that ends as it was is left alone. */
function putsOf({ planned }: PlannedKeys): readonly PlannedPut[] {
  const puts: PlannedPut[] = [];
  for (const [key, { was, will, backup }] of planned) {
    const isSame = will ? will.source?.key === key && will.source.tag === was?.tag : !was;
    if (isSame) continue;
    const content = will && contentFrom(will.content, (source) => planned.get(source)?.backup);
    puts.push({ put: { key, was: was?.tag ?? null, backup, will: content && fingerprintOf(content) }, content });
  }
  return puts.toSorted((one, other) => phaseOf(one) - phaseOf(other));
}

/** Writes new objects before it removes old ones, and marks of directories last: the others lie below them. */
const phaseOf = ({ put: { key }, content }: PlannedPut): (typeof PHASES)[number] => {
  if (content) return 0;
  return key.endsWith("/") ? 2 : 1;
};

const PHASES = [0, 1, 2] as const;

/** Copies an object that is changed too from its backup. */
const contentFrom = (content: ObjectContent, backupOf: (key: Key) => Key | undefined): ObjectContent =>
  content instanceof Uint8Array ? content : { copyOf: backupOf(content.copyOf) ?? content.copyOf };

const fingerprintOf = (content: ObjectContent): NonNullable<Put["will"]> =>
  content instanceof Uint8Array ? { sha256: hash("sha256", content, "hex") } : content;

const sourcesOf = ({ planned }: PlannedKeys): readonly ObjectFacts[] =>
  [...planned.values()].flatMap(({ will }) => {
    const { source } = will ?? {};
    return source && !planned.has(source.key) && !source.key.startsWith(`${STORE_NAME}/`) ? [source] : [];
  });

interface Made {
  readonly put: ReadonlyMap<Key, ObjectFacts>;
  readonly kept: ReadonlyMap<Key, ObjectFacts>;
}

/** Makes the puts of each phase side by side, once all backups are made. */
async function makeAll(
  committer: PutCommitter,
  { kept, puts, sources }: PlannedSet,
  attempt: Attempt,
  how: CommitOptions,
): Promise<Made> {
  const { objects, places } = committer;
  const made = { put: new Map<Key, ObjectFacts>(), kept: await backUpAll(whileUnchanged(committer, how), kept, how) };
  attempt.pending.log({ isBackedUp: true });
  const numbered = [...puts.entries()];
  for (const phase of PHASES)
    await inParallel(
      numbered.filter(([, each]) => phaseOf(each) === phase),
      LIMITS.storeCallsAtOnce,
      async ([nth, { put, content }]) => {
        attempt.begun++;
        const facts = await makeOne(objects, put, content);
        attempt.pending.log(facts === REFUSED ? { undone: nth } : { made: [nth, facts?.tag ?? null] });
        if (facts === REFUSED) throw staleFault(places.pathOf(put.key));
        if (facts) made.put.set(put.key, facts);
      },
    );
  await inParallel(sources, LIMITS.storeCallsAtOnce, async ({ key, tag }) => {
    if ((await objects.head(key))?.tag !== tag) throw staleFault(places.pathOf(key));
  });
  return made;
}

/** Copies what will be replaced. */
async function backUpAll(
  { objects, places }: PutCommitter,
  kept: PlannedSet["kept"],
  how: CommitOptions,
): Promise<Made["kept"]> {
  const made = new Map<Key, ObjectFacts>();
  await inParallel(kept, LIMITS.storeCallsAtOnce, async ([backup, { content }]) => {
    await how.checkpoint();
    const facts = await objects.put(backup, content, { absent: true });
    if (!facts) throw staleFault(places.pathOf(content instanceof Uint8Array ? backup : content.copyOf));
    made.set(backup, facts);
  });
  return made;
}

const REFUSED: unique symbol = Symbol("somebody else has changed the object");

/** Returns null for a removed object. Until there is an answer, the object may have been changed or not. */
async function makeOne(
  objects: ObjectStore,
  { key, was }: Put,
  content: ObjectContent | null,
): Promise<ObjectFacts | null | typeof REFUSED> {
  const when = was === null ? ({ absent: true } as const) : { match: was };
  if (content) return (await objects.put(key, content, when)) ?? REFUSED;
  return (await objects.remove(key, was ?? "")) ? null : REFUSED;
}

interface RecordedSet {
  readonly set: ChangeSet;
  readonly effects: readonly Effect[];
  readonly counted: ReadonlyMap<ObjectName, Counted>;
}

/** Commits the set: from the line of its record on, it has happened. Only this runs under the lock, without waiting. */
function recordSet(
  { state, journal, trash }: PutCommitter,
  { set: { changes, undoes, undoneAt, group }, effects, counted }: RecordedSet,
  pending: PendingSet,
  { author, onCommit }: CommitOptions,
): Promise<ChangeRecord> {
  return state.locked(() => {
    const id = newChangeId(state);
    const { store } = pending.plan;
    const record: ChangeRecord = { id, timeMs: Date.now(), ...author, effects, undoes, undoneAt, group, store };
    pending.log({ record: record.id });
    trash.note(record, changes, counted);
    const entry = journal.beginEntry();
    try {
      // Throws if the journal file was removed: nothing may be recorded in it then.
      entry.logStaged([]);
      entry.commit(record, []);
    } catch (error) {
      entry.end();
      throw error;
    }
    endRecorded(entry, () => trash.forget(record));
    onCommit?.(record, () => null);
    return record;
  });
}

/** Ignores failures: the change set is committed already. Recovery removes a note that stays in the trash. */
function endRecorded(entry: JournalEntry, forget: () => void): void {
  try {
    entry.end();
    forget();
  } catch {
    // The pending set is kept until all is cleared away.
  }
}
