import { Fault, isFault } from "../base/errors.ts";
import type { Cancellation } from "../base/time-slicing.ts";
import { isPath } from "../storage/place.ts";
import { innermostRoot } from "../storage/resolve.ts";
import { createRoute } from "../storage/route.ts";
import type { SafePath } from "../storage/storage.ts";
import type { ObjectName, Place } from "../storage/writer.ts";
import type { Change, ChangeSet } from "./changes/change.ts";
import type { StoredRecord } from "./changes/journal/records.ts";
import type { RecentChanges } from "./changes/recent-changes.ts";
import { commitToShares, isCarrying, type Share, writingOf } from "./across-storages.ts";
import type { Prober } from "./prober.ts";
import type { Looking, StorageAccess, WriteAccess } from "./storage-access.ts";
import type { FullHistory } from "./view.ts";

/**
 * Gives access to several storages as one. Each has a history of its own; histories and trashes are shown together,
 * newest first. A change set belongs to one of them.
 */
export function composeAccess(parts: readonly [StorageAccess, ...StorageAccess[]]): ComposedAccess {
  const [first, ...others] = parts;
  if (others.length === 0) return first;
  const partOf = createRoute(parts);
  return {
    roots: parts.flatMap(({ roots }) => roots),
    ...lookingAt(parts),
    ...(parts.some(({ during }) => during) && {
      during: (call) => lookingAt([duringOne(first, call), ...others.map((part) => duringOne(part, call))]),
    }),
    recent: composeRecent(parts, partOf),
    writing: composeWriting(parts, partOf),
  };
}

/** Each storage has guarantees of its own. */
type ComposedAccess = Omit<StorageAccess, "writing"> & { readonly writing: WriteAccess | undefined };

type Parts = readonly [StorageAccess, ...StorageAccess[]];
type PartOf = (path: SafePath) => StorageAccess;

/** Looks at several storages as one. */
const lookingAt = (parts: Parts): Looking => ({
  prober: composeProbers(parts, createRoute(parts)),
  history: composeHistories(parts),
});

const duringOne = (part: StorageAccess, call: Cancellation): StorageAccess => ({ ...part, ...part.during?.(call) });

function composeProbers(parts: Parts, partOf: PartOf): Prober {
  const proberOf = async (place: Place): Promise<Prober> =>
    isPath(place) ? partOf(place).prober : (await holderOf(parts, place)).prober;
  return {
    snapshot: async (place) => (await proberOf(place)).snapshot(place),
    hasParent: (path) => partOf(path).prober.hasParent(path),
    fingerprint: async (place, most) => (await proberOf(place)).fingerprint(place, most),
    entriesIn: async (place, most, isExcluded) => (await proberOf(place)).entriesIn(place, most, isExcluded),
    contentOf: async (place, from, most) => (await proberOf(place)).contentOf(place, from, most),
  };
}

/** Finds the storage that keeps an object. Names of objects are unique, since they hold the tag of their change set. */
async function holderOf(parts: Parts, object: ObjectName): Promise<StorageAccess> {
  for (const part of parts) if (await holds(part, object)) return part;
  return parts[0];
}

/** Asks for an object. A storage refuses names that it cannot have given. */
async function holds({ prober }: StorageAccess, object: ObjectName): Promise<boolean> {
  try {
    return (await prober.snapshot(object)) !== null;
  } catch (error) {
    if (isFault(error)) return false;
    throw error;
  }
}

const composeHistories = (parts: Parts): FullHistory => ({
  records: (checkpoint, naming) => newestFirst(parts.map(({ history }) => history.records(checkpoint, naming))),
  read: (id) => firstFound(parts, ({ history }) => history.read(id)),
  async contentOfVersion(version, checkpoint, admits) {
    for (const { history } of parts) {
      const bytes = await history.contentOfVersion(version, checkpoint, admits);
      if (bytes) return bytes;
    }
    return null;
  },
  snapshot: async (object) => (await holderOf(parts, object)).history.snapshot(object),
  contentOf: async (object, from, most) => (await holderOf(parts, object)).history.contentOf(object, from, most),
  trash: (path, isInside) => parts.flatMap(({ history }) => history.trash(path, isInside)).toSorted(byNewestChange),
  trashItem: (id, path) => firstFound(parts, ({ history }) => history.trashItem(id, path)),
});

/** Merges histories by their ids, which sort by time. */
async function* newestFirst(histories: readonly AsyncIterable<StoredRecord>[]): AsyncGenerator<StoredRecord> {
  const iterators = histories.map((history) => history[Symbol.asyncIterator]());
  const heads = await Promise.all(iterators.map((iterator) => iterator.next()));
  for (;;) {
    const newest = heads.reduce((best, head, nth) => (isNewer(head, heads[best]) ? nth : best), 0);
    const head = heads[newest];
    if (!head || head.done) return;
    yield head.value;
    heads[newest] = await (iterators[newest] as AsyncIterator<StoredRecord>).next();
  }
}

const isNewer = (one: IteratorResult<StoredRecord>, other: IteratorResult<StoredRecord> | undefined): boolean =>
  !one.done && (!other || other.done === true || one.value.id > other.value.id);

const byNewestChange = (one: { readonly changeId: string }, other: { readonly changeId: string }): number =>
  one.changeId < other.changeId ? 1 : -1;

function firstFound<Part, T>(parts: readonly Part[], look: (part: Part) => T | null): T | null {
  for (const part of parts) {
    const found = look(part);
    if (found !== null) return found;
  }
  return null;
}

const composeRecent = (parts: Parts, partOf: PartOf): RecentChanges => ({
  startTracking: () => parts.forEach(({ recent }) => recent.startTracking()),
  catchUp: async () => void (await Promise.all(parts.map(({ recent }) => recent.catchUp()))),
  madeBy: (place, now) => partOf(place).recent.madeBy(place, now),
});

/** Returns undefined where every storage can only be read. */
function composeWriting(parts: Parts, partOf: PartOf): WriteAccess | undefined {
  const all = parts.flatMap(({ writing }) => writing ?? []);
  if (all.length === 0) return undefined;
  return {
    ready() {
      const waits = all.flatMap((writing) => writing.ready() ?? []);
      return waits.length === 0 ? undefined : Promise.all(waits).then(() => {});
    },
    commit: (set, how) => commitToShares(sharesOf(parts, partOf, set), set, how),
    async dryRun(set) {
      const shares = sharesOf(parts, partOf, set);
      const isWhole = shares.length === 1;
      const altered = shares.filter(({ part, changes }) => changes.some((change) => alters(change, part, partOf)));
      for (const share of altered) await writingOf(share).dryRun(isWhole ? set : { changes: [] });
    },
    trash: {
      items: (path) => all.flatMap(({ trash }) => trash.items(path)).toSorted(byNewestChange),
      item: (id, path) => firstFound(all, ({ trash }) => trash.item(id, path)),
      expire: async (nowMs) => void (await Promise.all(all.map(({ trash }) => trash.expire(nowMs)))),
      purge: async (item) => partOf(item.path).writing?.trash.purge(item),
    },
    // At most one storage has directories of this machine.
    views: all.find(({ views }) => views)?.views,
    pictures: all.find(({ pictures }) => pictures)?.pictures,
    counts() {
      const counts = all.map((writing) => writing.counts());
      const sum = (key: "changes" | "pending") => counts.reduce((total, each) => total + each[key], 0);
      return { changes: sum("changes"), pending: sum("pending") };
    },
    directories: () => all.flatMap((writing) => writing.directories()),
    waiting: () => all.flatMap((writing) => writing.waiting()),
    async giveUp(id) {
      for (const writing of all) {
        const change = await writing.giveUp(id);
        if (change) return change;
      }
      return undefined;
    },
  };
}

/**
 * Returns what each storage has to do of a set. Throws where there are several, unless something is moved or copied from
 * one to another, or such a move is undone: all changes of a set are made all or none.
 */
function sharesOf(parts: Parts, partOf: PartOf, { changes, undoes }: ChangeSet): readonly Share[] {
  const shares = new Map<StorageAccess, Change[]>();
  for (const change of changes)
    for (const part of new Set(pathsIn(change).map(partOf))) shares.set(part, [...(shares.get(part) ?? []), change]);
  const groups = new Set(undoes?.map((id) => firstFound(parts, ({ history }) => history.read(id))?.group));
  const isGroup = groups.size === 1 && !groups.has(undefined);
  if (shares.size > 1 && !isGroup && !isCarriedBetween(changes, partOf))
    throw acrossStoragesFault(changes, partOf, undoes !== undefined);
  return [...shares].map(([part, own]) => ({ part, changes: own }));
}

/** Checks for a single move or copy to another storage, with the directories that it needs there. */
function isCarriedBetween(changes: readonly Change[], partOf: PartOf): boolean {
  const [change, ...others] = changes.filter(({ kind }) => kind !== "mkdir");
  return change !== undefined && isCarrying(change) && others.length === 0 && partOf(change.path) !== partOf(change.to);
}

/** Checks that a change alters a storage: a copy only reads that of its source. */
const alters = (change: Change, part: StorageAccess, partOf: PartOf): boolean =>
  change.kind !== "copy" || partOf(change.to) === part;

/** Lists the paths that a change alters or takes its content from. */
function pathsIn(change: Change): readonly SafePath[] {
  if (change.kind === "restore") return [change.path, ...(change.origin ? [change.origin.path] : [])];
  return "to" in change ? [change.path, change.to] : [change.path];
}

function acrossStoragesFault(changes: readonly Change[], partOf: PartOf, isUndo: boolean): Fault {
  const [one, ...others] = changes.flatMap(pathsIn) as [SafePath, ...SafePath[]];
  const other = others.find((each) => partOf(each) !== partOf(one));
  return new Fault(
    "invalid_input",
    `Cannot change ${JSON.stringify(one)} and ${JSON.stringify(other)} together: they are in different storages`,
    {
      hint: isUndo
        ? `Undo each storage by itself: ${rootsOf(changes, partOf)
            .map((root) => `path: ${JSON.stringify(root)}`)
            .join(", then ")}`
        : "Make one call for each storage; only a move or a copy leads from one to another",
    },
  );
}

/** Lists the roots in which changes are made. */
const rootsOf = (changes: readonly Change[], partOf: PartOf): readonly string[] => [
  ...new Set(changes.flatMap(pathsIn).flatMap((path) => innermostRoot(partOf(path).roots, path)?.root ?? [])),
];
