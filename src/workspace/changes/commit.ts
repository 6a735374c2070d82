import { type Code, hasCode } from "../../base/errors.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import type { StorageWriter, Place } from "../../storage/writer.ts";
import type { State } from "../../storage/state.ts";
import { assume, createAssumedTree } from "./undo/assumed-tree.ts";
import type { Author, Change, ChangeRecord, ChangeSet, Effect } from "./change.ts";
import { compile, requireUntouched } from "./compile.ts";
import { type JournalEntry, type Journal, type UnfinishedTransaction, newChangeId } from "./journal/journal.ts";
import { recover } from "./journal/recovery.ts";
import {
  type MountPoint,
  newPlaces,
  planStaging,
  requireUnmounted,
  type StagedChange,
  stageChange,
  type StagingPlan,
} from "./staging.ts";
import { type Rescue, takeAllBack } from "./journal/rollback.ts";
import { type Step, performStep } from "./steps.ts";

/** What committing needs. */
export interface Committer {
  readonly writer: StorageWriter;
  readonly state: State;
  readonly journal: Journal;
  /** Told of what happened, under the lock and before it counts as done. */
  readonly noted: (record: ChangeRecord, changes: readonly Change[]) => void;
  /** Told under the lock once it counts as done. */
  readonly happened: (record: ChangeRecord) => void;
  readonly rescue: Rescue;
}

/** Whose changes, and how the call can be stopped while it still prepares. */
export interface CommitOptions {
  readonly author: Author;
  readonly checkpoint: Checkpoint;
  /** Told what has happened before anybody else can look at it. Must not throw. */
  readonly made?: ((record: ChangeRecord) => void) | undefined;
}

/**
 * Makes all changes or none. New contents are written beside the files first, which may take long; then, in one turn
 * under the lock that all processes share, each change is checked against what is there, journaled and made.
 * Throws `stale` when something is not as expected: then plan again.
 */
export async function commit(committer: Committer, set: ChangeSet, how: CommitOptions): Promise<ChangeRecord> {
  try {
    return await attempt(committer, set, { ...how, mounted: new Set() });
  } catch (error) {
    const mounted = hasCode(error, ...OF_MOUNTS) ? mountedAmong(committer.writer, set) : undefined;
    if (!mounted?.size) throw error;
    return attempt(committer, set, { ...how, mounted });
  }
}

/**
 * Refuses what a commit would refuse although the plan fits: what is mounted can neither be removed nor moved, and what an
 * undo alters cannot be brought to another disk as well. Only an undo may look for the store: before the first change
 * there is none, and a look would make it.
 */
export function dryRun({ writer }: Committer, set: ChangeSet): void {
  const mounted = mountedAmong(writer, set);
  for (const change of set.changes) requireUnmounted(change, mounted);
  if (set.undoes) planAll(writer, set.changes, "rehearsal", mounted);
}

/** What a mount point may be refused with: it is busy, and the directory around it need not be ours to write to. */
const OF_MOUNTS: readonly Code[] = ["busy", "no_permission", "read_only"];

/** Asked only once something was refused, or nothing is to happen: on the way of every change it would cost more than it is worth. */
function mountedAmong(writer: StorageWriter, { changes }: ChangeSet): MountPoint {
  const paths = changes.flatMap((change) => ("to" in change ? [change.path, change.to] : [change.path]));
  return new Set(paths.filter((path) => writer.look(path) !== null && writer.isMounted(path)));
}

interface Attempt extends CommitOptions {
  readonly mounted: MountPoint;
}

async function attempt(committer: Committer, set: ChangeSet, how: Attempt): Promise<ChangeRecord> {
  const { writer, journal } = committer;
  const entry = journal.begin();
  let temps: readonly Place[] = [];
  try {
    const plans = planAll(writer, set.changes, entry.tag, how.mounted);
    temps = plans.flatMap(newPlaces);
    if (temps.length > 0) entry.stages(temps);
    const staged: StagedChange[] = [];
    for (const plan of plans) staged.push(await stageChange(writer, plan, how.checkpoint));
    const { record, litter } = await underLock(committer, () => {
      const made = told(committer, makeAll(committer, entry, set, staged, how.author));
      how.made?.(made.record);
      return made;
    });
    await clear(committer, entry, litter);
    return record;
  } catch (error) {
    await eraseAll(writer, temps).then(entry.end).catch(entry.leave);
    throw error;
  }
}

/** Each change is staged for what those before it leave. */
function planAll(
  writer: StorageWriter,
  changes: readonly Change[],
  tag: string,
  mounted: MountPoint,
): readonly StagingPlan[] {
  const tree = createAssumedTree<true>();
  return changes.map((change, nth) => {
    const plan = planStaging({ writer, tree, mounted }, change, `${tag}-${nth}`);
    assume(tree, change);
    return plan;
  });
}

/** It has happened: whatever goes wrong now must not say otherwise, and is left to the journal. */
async function clear({ writer }: Committer, entry: JournalEntry, litter: readonly Place[]): Promise<void> {
  try {
    await eraseAll(writer, litter);
    entry.end();
  } catch {
    entry.leave();
  }
}

/** Nothing is checked against what somebody left half done; mere litter can wait. */
async function underLock<T>(committer: Committer, work: () => T): Promise<T> {
  for (;;) {
    let left: readonly UnfinishedTransaction[] = [];
    const result = await committer.state.locked(() => {
      left = committer.journal.unfinishedTransactions();
      return left.some(isHalfDone) ? NOT_YET : work();
    });
    if (result === NOT_YET) await recover(committer);
    else if (left.length > 0) await recover(committer).catch(() => {});
    if (result !== NOT_YET) return result;
  }
}

const isHalfDone = ({ sets }: UnfinishedTransaction): boolean =>
  sets.some(({ steps, hasHappened }) => steps.length > 0 && !hasHappened);

const NOT_YET: unique symbol = Symbol("something has to be recovered first");

async function eraseAll(writer: StorageWriter, places: readonly Place[]): Promise<void> {
  for (const place of places) await writer.erase(place);
}

interface Made {
  readonly record: ChangeRecord;
  readonly litter: readonly Place[];
}

/** One turn, start to end. What fails half-way is taken back before anyone else can look. */
function makeAll(
  committer: Committer,
  entry: JournalEntry,
  { changes, undoes, undoneAt }: ChangeSet,
  staged: readonly StagedChange[],
  author: Author,
): Made {
  const taken: Step[] = [];
  const litter: Place[] = [];
  try {
    const effects: Effect[] = [];
    for (const { place, fingerprint } of staged.flatMap(({ sources = [] }) => sources))
      requireUntouched(committer.writer, place, fingerprint);
    for (const [nth, change] of changes.entries())
      effects.push(...makeOne(committer, entry, change, staged[nth] as StagedChange, taken, litter));
    const record: ChangeRecord = { id: newChangeId(), timeMs: Date.now(), ...author, effects, undoes, undoneAt };
    committer.noted(record, changes);
    entry.commit(record, litter);
    return { record, litter };
  } catch (error) {
    takeBack(committer, entry, taken);
    throw error;
  }
}

/** Told of what has happened, whatever comes of telling. */
function told({ happened }: Committer, made: Made): Made {
  try {
    happened(made.record);
  } catch {
    // A note of the trash that stays is left out of every list, and expires like others.
  }
  return made;
}

/** What cannot be taken back now must be later: why the change failed is still what the caller has to know. */
function takeBack({ writer, rescue }: Committer, entry: JournalEntry, taken: readonly Step[]): void {
  try {
    takeAllBack(writer, taken, { rescue });
    entry.retract();
  } catch {
    entry.leave();
  }
}

function makeOne(
  { writer }: Committer,
  entry: JournalEntry,
  change: Change,
  staged: StagedChange,
  taken: Step[],
  litter: Place[],
): readonly Effect[] {
  const compiled = compile(writer, change, staged);
  if (!compiled) return [];
  entry.steps(compiled.steps);
  for (const step of compiled.steps) {
    taken.push(step);
    performStep(writer, step, compiled.bytes);
  }
  litter.push(...compiled.litter);
  return [compiled.effect()];
}
