import { setImmediate } from "node:timers/promises";
import { LIMITS } from "../../../base/limits.ts";
import type { ObjectName } from "../../../storage/writer.ts";
import { objectParts } from "../../../storage/place.ts";
import { innermostRoot } from "../../../storage/resolve.ts";
import type { State } from "../../../storage/state.ts";
import type { ChangeRecord } from "../change.ts";
import { confirmedTime, readClock } from "./clock.ts";
import type { Journal } from "../journal/journal.ts";
import type { StoredRecord } from "../journal/records.ts";
import type { CommandPictures } from "../pictures/pictures.ts";
import type { CommandViews } from "../views/views.ts";
import type { Trash } from "./trash.ts";

/** Holds the contents that the history keeps. */
export interface Backups {
  treeBytes(object: ObjectName): Promise<number>;
  /** Removes a record from the history, and the objects that only it keeps. */
  discard(id: string, objects: readonly ObjectName[]): Promise<void>;
}

interface PruneContext {
  readonly backups: Backups;
  readonly state: State;
  readonly journal: Journal;
  readonly trash: Pick<Trash, "expire">;
  readonly views?: Pick<CommandViews, "expire"> | undefined;
  readonly pictures?: Pick<CommandPictures, "expire"> | undefined;
  /** Finishes what this and other processes left unfinished. */
  readonly recover: () => Promise<void>;
  readonly afterPruning?: (() => Promise<void>) | undefined;
}

/** Limits the size and age of the history, and how often it is checked. */
interface HistoryLimits {
  readonly historyBytes: number;
  readonly historyBytesOfUser: number;
  readonly historyMs: number;
  readonly historyKept: number;
  readonly historyPollMs: number;
  readonly historyNewBytes: number;
}

/**
 * Returns a function to call after every change. From time to time, and soon after large backups, it removes old
 * history and expired trash in the background.
 */
export function createPruner(
  context: PruneContext,
  limits: HistoryLimits = LIMITS,
): (record: ChangeRecord) => Promise<void> | undefined {
  let nextMs = 0;
  let newBytes = 0;
  let pruning: Promise<void> | undefined;
  return function pruneIfDue(record) {
    newBytes += bytesKeptBy(record, limits);
    const isUrgent = newBytes > limits.historyNewBytes;
    if (pruning || (performance.now() < nextMs && !isUrgent)) return undefined;
    nextMs = performance.now() + limits.historyPollMs;
    newBytes = 0;
    // A call must not fail because of pruning; the next run tries again.
    pruning = pruneNow(context, limits, isUrgent)
      .catch(() => {})
      .finally(() => (pruning = undefined));
    return pruning;
  };
}

async function pruneNow(context: PruneContext, limits: HistoryLimits, isUrgent: boolean): Promise<void> {
  if (!takeLease(context.state, limits) && !isUrgent) return;
  const nowMs = confirmedTime(context.state, readClock(context.state));
  await context.recover();
  await prune(context, {
    nowMs,
    mostBytes: limits.historyBytes,
    mostBytesOfUser: limits.historyBytesOfUser,
    mostMs: limits.historyMs,
    leastChanges: limits.historyKept,
  });
  await context.afterPruning?.();
}

/**
 * Returns false while another process pruned a moment ago: twenty servers must not read the whole history every few
 * minutes. Should two do so at once, that does no harm.
 */
function takeLease(state: State, { historyPollMs }: HistoryLimits): boolean {
  const sinceMs = Date.now() - state.changedMs(LEASE);
  if (Math.abs(sinceMs) < historyPollMs) return false;
  state.write(LEASE, "");
  return true;
}

const LEASE = "pruned";

/** Counts a tree as large: its size is not known without a walk. */
const bytesKeptBy = (record: ChangeRecord, { historyNewBytes }: HistoryLimits): number =>
  keptObjects(record).reduce((sum, { size, isTree }) => sum + (isTree ? historyNewBytes + 1 : size), 0);

interface Bounds {
  /** The time that ages are measured from. */
  readonly nowMs: number;
  /** Bounds what the history keeps of one root. */
  readonly mostBytes: number;
  readonly mostBytesOfUser: number;
  readonly mostMs: number;
  /** Says how many of the last changes of each root stay, whatever their age and whatever other roots need. */
  readonly leastChanges: number;
}

/**
 * Removes records oldest first, until the rest is young and small enough. A record that alone exceeds the limit is
 * removed by itself. The newest record of a root always stays. The trash has its own retention.
 */
export async function prune(context: PruneContext, bounds: Bounds): Promise<void> {
  const { journal, trash, views, pictures, backups } = context;
  const retained = new Set<ObjectName>();
  const mayStay = createBudget(bounds);
  for (const record of journal.records()) {
    await setImmediate();
    // A later change may have put something back into the object of an earlier one.
    const kept = keptObjects(record).filter(({ object }) => !retained.has(object));
    const objects = kept.map(({ object }) => object);
    if (mayStay(record, await bytesOf(backups, kept))) for (const object of objects) retained.add(object);
    else await backups.discard(record.id, objects);
  }
  await trash.expire(bounds.nowMs);
  await views?.expire(bounds.nowMs);
  await pictures?.expire(bounds.nowMs);
}

/** Decides about the records of a history, newest first, each with the bytes that only it keeps. */
function createBudget(bounds: Bounds): (record: StoredRecord, size: number) => boolean {
  const { nowMs, mostBytes, mostBytesOfUser, mostMs, leastChanges } = bounds;
  const byRoot = new Map<string, { changes: number; bytes: number }>();
  let bytesOfUser = 0;
  return (record, size) => {
    const root = rootOf(record);
    const used = byRoot.get(root) ?? { changes: 0, bytes: 0 };
    byRoot.set(root, used);
    used.changes++;
    if (used.changes === 1) return true;
    if (size > mostBytes) return false;
    used.bytes += size;
    if (used.bytes > mostBytes) return false;
    bytesOfUser += size;
    return used.changes <= leastChanges || (nowMs - record.timeMs <= mostMs && bytesOfUser <= mostBytesOfUser);
  };
}

/** Returns the root that the first effect lies in. A change of version 0.1 names none: its store tells it from others. */
function rootOf({ roots, effects: [first] }: StoredRecord): string {
  const paths = roots.map(({ path }) => path);
  const object = first?.before?.object;
  return innermostRoot(paths, first?.path ?? "")?.root ?? (object === undefined ? "" : objectParts(object).store);
}

interface KeptObject {
  readonly object: ObjectName;
  readonly size: number;
  /** Is true for a directory, whose own size says nothing. */
  readonly isTree: boolean;
}

async function bytesOf({ treeBytes }: Backups, kept: readonly KeptObject[]): Promise<number> {
  let bytes = 0;
  for (const { object, size, isTree } of kept) bytes += isTree ? await treeBytes(object) : size;
  return bytes;
}

/** Returns the backups that only the history holds; the trash holds the others. */
const keptObjects = ({ effects }: ChangeRecord): readonly KeptObject[] =>
  effects.flatMap(({ before }) => {
    const { object, size = 0, kind } = before ?? {};
    if (object === undefined || objectParts(object).folder !== "objects") return [];
    return [{ object, size, isTree: kind === "directory" }];
  });
